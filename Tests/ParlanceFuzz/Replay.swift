import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

/// Everything that Ada's peers sent her, sent once more by the same peers on new links.
package struct Replay {
    /// Events stored the first time.
    package private(set) var stored = 0
    /// Conversations that differ after the second time.
    package private(set) var changed: [String] = []

    package init() {
        let stage = Stage.shared
        var bench = Bench(stage)
        Self.hear(stage, &bench)
        let before = bench.disk
        stored = before.eventCount - stage.disk.eventCount
        for place in bench.links.indices { Self.open(place, &bench) }
        Self.hear(stage, &bench)
        let after = bench.disk
        changed = Set(before.conversations.map(\.id) + after.conversations.map(\.id)).sorted().filter {
            !after.agrees(with: before, on: $0) || after.history(of: $0) != before.history(of: $0)
        }.map(\.text)
    }

    private static func hear(_ stage: Stage, _ bench: inout Bench) {
        for (peer, bytes) in stage.recorded {
            guard let place = bench.links.firstIndex(where: { $0.peer == peer }), let frame = WireFrame(decoding: bytes)
            else { continue }
            // A frame that ends a link would prevent the rest from being received.
            if FrameFuzz.startsLink(bytes) { bench.open(place, epoch: 9, replica: nil, answersDial: false) }
            if bench.links[place].link == nil { open(place, &bench) }
            bench.received(frame, at: place)
        }
        bench.finish()
    }

    private static func open(_ place: Int, _ bench: inout Bench) {
        bench.open(place, epoch: 9, replica: nil, answersDial: false)
        var frame = WireFrame()
        frame.hello.purpose = .main
        bench.received(frame, at: place)
    }
}
