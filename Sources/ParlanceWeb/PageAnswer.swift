import HTTPTypes
import HummingbirdCore
import NIOCore
import ParlanceControl
import ParlanceWords

/// Answers of the page's server, with the headers that all of them have.
enum PageAnswer {
    /// The type of a stream of events.
    static let eventStream = "text/event-stream"

    /// What the browser may do with a page: run its own modules, and talk to its own daemon (protocol/page.md, "Headers").
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
        manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'
        """

    private static let common: HTTPFields = {
        var fields = HTTPFields()
        for (name, value) in [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Permissions-Policy", "geolocation=(), microphone=()"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()

    static func make(
        _ status: HTTPResponse.Status,
        type: String? = nil,
        cache: String = "no-store",
        _ more: [(HTTPField.Name, String)] = [],
        body: ResponseBody = ResponseBody()
    ) -> Response {
        var headers = common
        if let type { headers[.contentType] = type }
        headers[.cacheControl] = cache
        for (name, value) in more { headers[name] = value }
        return Response(status: status, headers: headers, body: body)
    }

    static func asset(_ asset: PageAssets.Asset, _ asked: PageRequest) -> Response {
        let deflates = asked.takesDeflated && asset.deflated.readableBytes > 0
        // Each of the two forms has a tag of its own.
        let tag = deflates ? "\(asset.etag.dropLast())-z\"" : asset.etag
        var fields = [(HTTPField.Name.eTag, tag), (.vary, "Accept-Encoding")]
        // A browser asks each time whether its copy is still the right one: that of another version would not fit.
        guard asked.etag != tag else { return make(.notModified, cache: "no-cache", fields) }
        if deflates { fields.append((.contentEncoding, "deflate")) }
        let bytes = deflates ? asset.deflated : asset.bytes
        return make(.ok, type: asset.type, cache: "no-cache", fields, body: ResponseBody(byteBuffer: bytes))
    }

    static func json(_ json: JSON) -> Response {
        var buffer = ByteBuffer()
        JSONWriter.write(json, to: &buffer)
        return bytes(buffer)
    }

    /// JSON that is written already.
    static func bytes(_ buffer: ByteBuffer) -> Response {
        make(.ok, type: "application/json", body: ResponseBody(byteBuffer: buffer))
    }

    static func refusal(_ error: ControlError, _ status: HTTPResponse.Status, in language: Language) -> Response {
        let refusal = RPCError(error).json(in: language)
        var buffer = ByteBuffer()
        JSONWriter.write(.object([JSON.Member("error", refusal)]), to: &buffer)
        // A body that nobody has read must not be taken for the next request.
        return make(
            status,
            type: "application/json",
            [(.connection, "close")],
            body: ResponseBody(byteBuffer: buffer)
        )
    }
}
