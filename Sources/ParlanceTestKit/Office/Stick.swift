import ParlanceCore
import ParlanceWire

/// A stick that people carry from one to another (carry.md), with what a hostile one remembers.
struct Stick {
    /// Who made a file for whom; each such place has a name that only the two can compute.
    struct Place: Hashable, Comparable {
        let author: Int
        let recipient: Int
        let slot: Int

        static func < (a: Self, b: Self) -> Bool { (a.author, a.recipient, a.slot) < (b.author, b.recipient, b.slot) }
    }

    private(set) var files: [Place: [UInt8]] = [:]
    /// The files that were replaced or removed, the latest last.
    private var old: [(place: Place, bytes: [UInt8])] = []
    /// The whole stick at an earlier time.
    private var copy: [Place: [UInt8]] = [:]

    subscript(place: Place) -> [UInt8]? {
        get { files[place] }
        set {
            if let before = files[place] { old = old.suffix(Self.mostOld - 1) + [(place, before)] }
            files[place] = newValue
        }
    }

    private static let mostOld = 40

    /// Does what a bad or hostile stick does to a file.
    ///
    /// - Parameter people: how many people there are.
    /// - Returns: what it was.
    mutating func tamper(people: Int, _ random: inout SeededGenerator) -> String {
        func any() -> Place {
            let author = Int(random.below(Int64(people)))
            let recipient = (author + 1 + Int(random.below(Int64(people - 1)))) % people
            return Place(author: author, recipient: recipient, slot: Int(random.below(2)))
        }
        let places = files.keys.sorted()
        let place = places.isEmpty ? any() : places[Int(random.below(Int64(places.count)))]
        switch random.below(10) {
        case 0, 1:
            self[place] = nil
            return "loses a file"
        case 2:
            files = [:]
            return "loses everything"
        case 3: copy = files
        case 4:
            for (place, bytes) in copy.sorted(by: { $0.key < $1.key }) { self[place] = bytes }
            return "brings old files back"
        case 5, 6:
            guard !old.isEmpty else { return "stays as it is" }
            let (place, bytes) = old[Int(random.below(Int64(old.count)))]
            self[place] = bytes
            return "brings an old file back"
        case 7:
            guard var bytes = files[place], !bytes.isEmpty else { return "stays as it is" }
            if random.below(3) == 0 {
                bytes.removeLast(1 + Int(random.below(Int64(bytes.count))))
            } else {
                bytes[Int(random.below(Int64(bytes.count)))] ^= 1 << UInt8(random.below(8))
            }
            self[place] = bytes
            return "changes a file"
        case 8:
            let other = any()
            self[other] = files[place]
            return "passes a file off as another"
        default:
            let count = random.below(8) == 0 ? Limits.parcelBytes + 1 : Int(random.below(400))
            self[any()] = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            return "has a foreign file"
        }
        return "is copied"
    }
}
