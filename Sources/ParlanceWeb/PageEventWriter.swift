import NIOCore
import ParlanceControl
import ParlanceWords

/// Writes the stream of events as browsers read it (WHATWG HTML, "Server-sent events").
struct PageEventWriter: Sendable {
    let events: PageEvents
    let language: Language

    /// The first event: how the tab is called.
    func hello(tab: String) -> ByteBuffer {
        let data = JSON.object([JSON.Member("tab", .string(tab)), JSON.Member("run", .string(events.run))])
        return buffer(id: nil, "hello", data)
    }

    func bytes(of item: PageEvents.Item) -> ByteBuffer {
        switch item {
        case .beat: return ByteBuffer(string: ":\n\n")
        case .gap: return buffer(id: nil, "gap", .object([]))
        case .event(let number, let event):
            // The page reads everything anew if it misses an event.
            guard let data = try? JSONValueEncoder.encode(event, in: language) else {
                return buffer(id: events.id(number), "gap", .object([]))
            }
            return buffer(id: events.id(number), event.kind.rawValue, data)
        }
    }

    /// JSON has no line feeds of its own, so the data is one line.
    private func buffer(id: String?, _ kind: String, _ data: JSON) -> ByteBuffer {
        var buffer = ByteBuffer()
        if let id { buffer.writeString("id: \(id)\n") }
        buffer.writeString("event: \(kind)\ndata: ")
        JSONWriter.write(data, to: &buffer)
        buffer.writeStaticString("\n\n")
        return buffer
    }
}
