/// Splits the bytes of a response into Server-Sent Events (WHATWG HTML, section 9.2.6), wherever the bytes were cut.
///
/// Only data counts: names, identifiers and comments are left out.
struct EventStreamParser: Sendable {
    /// The data of one event, of which the lines are joined.
    enum Event: Equatable, Sendable {
        case data([UInt8])
        /// Data that came in a field `error`, as older releases of llama.cpp send it.
        case error([UInt8])
    }

    private let lineLimit: Int
    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var failure: [UInt8]?
    private var isAfterReturn = false
    private var isFirstLine = true

    init(lineLimit: Int = ModelServerLimits.lineBytes) { self.lineLimit = lineLimit }

    /// The events that these bytes complete. Throws `.tooLarge(.line)`.
    mutating func append(_ bytes: some Sequence<UInt8>) throws(ModelServerError) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): try endLine(&events)
            default:
                guard line.count < lineLimit else { throw .tooLarge(.line) }
                line.append(byte)
            }
        }
        return events
    }

    /// The event whose lines are whole but which no empty line ended, at the end of the stream.
    mutating func finish() -> [Event] {
        var events: [Event] = []
        dispatch(&events)
        line = []
        return events
    }

    private mutating func endLine(_ events: inout [Event]) throws(ModelServerError) {
        var line = self.line[...]
        if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
        isFirstLine = false
        if line.isEmpty {
            dispatch(&events)
        } else {
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            var value = line.dropFirst(name.count + 1)
            if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
            if name.elementsEqual("data".utf8) { try add(value, to: &data) }
            if name.elementsEqual("error".utf8) { try add(value, to: &failure) }
        }
        self.line.removeAll(keepingCapacity: true)
    }

    private func add(_ value: ArraySlice<UInt8>, to field: inout [UInt8]?) throws(ModelServerError) {
        let before = field.map { $0 + [UInt8(ascii: "\n")] } ?? []
        guard before.count + value.count <= lineLimit else { throw .tooLarge(.line) }
        field = before + value
    }

    private mutating func dispatch(_ events: inout [Event]) {
        if let failure { events.append(.error(failure)) }
        if let data, !data.isEmpty { events.append(.data(data)) }
        failure = nil
        data = nil
    }
}
