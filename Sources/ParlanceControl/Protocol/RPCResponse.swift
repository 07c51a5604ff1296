package import NIOCore
package import ParlanceWords

/// Writes responses (JSON-RPC 2.0, section 5).
package enum RPCResponse {
    /// Writes a response, without a line feed.
    package static func write(
        _ id: RPCID,
        _ result: Result<JSON, RPCError>,
        in language: Language,
        to buffer: inout ByteBuffer
    ) {
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"id\":")
        JSONWriter.write(id.json, to: &buffer)
        switch result {
        case .success(let json):
            buffer.writeStaticString(",\"result\":")
            JSONWriter.write(json, to: &buffer)
        case .failure(let error):
            buffer.writeStaticString(",\"error\":")
            JSONWriter.write(error.json(in: language), to: &buffer)
        }
        buffer.writeStaticString("}")
    }

    /// A reply as the result of a response.
    static func result(_ reply: any Encodable, in language: Language) -> Result<JSON, RPCError> {
        do {
            return .success(try JSONValueEncoder.encode(reply, in: language))
        } catch {
            return .failure(.internalError("the reply cannot be written as JSON"))
        }
    }
}
