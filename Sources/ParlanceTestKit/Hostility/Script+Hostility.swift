import ParlanceCore
import ParlanceWire

extension Script {
    /// Which nodes are hostile, and when their owners act: some quiet minutes, then several acts in a row. Each owner goes
    /// through all kinds of mischief before it begins again; the salt says which is meant. It is drawn apart, so that it
    /// changes nothing else.
    static func hostility(
        _ wanted: Int,
        of count: Int64,
        besides garbler: Int?,
        _ length: Int64,
        _ seed: UInt64
    ) -> (hostile: Set<Int>, acts: [Act]) {
        var random = SeededGenerator(seed: seed ^ 0x4057_11E5_0000_0000)
        var left = (0..<Int(count)).filter { $0 != garbler }
        var hostile: Set<Int> = []
        while hostile.count < wanted && left.count > 2 {
            hostile.insert(left.remove(at: Int(random.below(Int64(left.count)))))
        }
        var acts: [Act] = []
        for node in hostile.sorted() {
            var time: Int64 = 60_000
            var kinds = Mischief.allCases.indices.shuffled(using: &random)[...]
            while time < length {
                for _ in 0...random.below(8) {
                    let other = (node + 1 + Int(random.below(count - 1))) % Int(count)
                    if kinds.isEmpty { kinds = Mischief.allCases.indices.shuffled(using: &random)[...] }
                    let salt = Mischief.salt(kinds.removeFirst(), random.next())
                    acts.append(Act(time: time, kind: .misbehave, node: node, other: other, salt: salt))
                    time += random.below(4) == 0 ? random.below(3_000) : random.below(50)
                }
                time += random.below(160_000)
            }
        }
        return (hostile, acts.filter { $0.time < length }.sorted { ($0.time, $0.salt) < ($1.time, $1.salt) })
    }

    /// The nodes whose conversations take few bytes of one author in a day, until the end. Where somebody is hostile all do,
    /// so that a hostile author uses the quota up.
    var scants: [(node: Int, bytes: UInt64)] {
        let one = scant.map { [$0] } ?? []
        guard !hostile.isEmpty else { return one }
        return one + (0..<nodes).filter { $0 != scant?.node }.map { ($0, Self.hostileDayBytes) }
    }

    /// More than people write in a day here, and less than a hostile author does.
    static let hostileDayBytes: UInt64 = 1 << 20
}
