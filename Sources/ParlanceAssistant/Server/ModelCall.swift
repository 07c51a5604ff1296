import FoundationEssentials
import NIOCore
import NIOHTTP1

/// A request to a model server as HTTP has it.
struct ModelCall: Sendable {
    private let head: HTTPRequestHead
    private let body: ByteBuffer?

    init(get path: String, of address: ModelAddress) {
        head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: Self.headers(address))
        body = nil
    }

    /// Throws if the body cannot be JSON, for example because the temperature is infinite.
    init(post path: String, of address: ModelAddress, _ value: some Encodable, accepting type: String) throws {
        let encoder = JSONEncoder()
        // The same request has the same bytes each time.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(value)
        var headers = Self.headers(address, accepting: type)
        headers.add(name: "Content-Type", value: "application/json")
        headers.add(name: "Content-Length", value: String(bytes.count))
        head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers)
        body = ByteBuffer(bytes: bytes)
    }

    var parts: [HTTPClientRequestPart] {
        [.head(head)] + (body.map { [.body(.byteBuffer($0))] } ?? []) + [.end(nil)]
    }

    private static func headers(_ address: ModelAddress, accepting type: String = "application/json") -> HTTPHeaders {
        [
            "Host": address.authority,
            "Accept": type,
            "Accept-Encoding": "identity",
            "Connection": "close",
        ]
    }
}
