import ParlanceWords

/// One method of the control protocol (protocol/control.md, "Methods"): its name, its parameters and its result.
///
/// The stored properties are the parameters. Reading is strict; nil properties are left out.
///
/// protocol/control.api describes the methods, from which contrib/generate makes their types. To add one:
/// 1. Describe it there, and run `contrib/generate --api`.
/// 2. Implement it in `ParlanceDaemon`, in the file of the same family in `Control/Operations`. A test compares the
///    description with what the node performs.
package protocol ControlOperation: Codable, Equatable, Sendable {
    associatedtype Reply: Codable, Equatable, Sendable

    /// The stable name of the method, which equals the command of `parlance`.
    static var method: String { get }
}

/// An operation without parameters: it takes none, or an empty object.
package protocol BareOperation: ControlOperation {
    init()
}

private enum NoKeys: CodingKey {}

extension BareOperation {
    package init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: NoKeys.self)
        self.init()
    }

    package func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: NoKeys.self)
    }
}

extension ControlOperation {
    /// Reads the parameters of a call.
    package init(params: JSON?) throws(RPCError) {
        do {
            self = try JSONValueDecoder.decode(Self.self, from: params ?? .object([]), name: "params", strict: true)
        } catch let error as JSONMismatch {
            throw .invalidParams(error.message)
        } catch {
            throw .invalidParams("they have the wrong form")
        }
    }

    /// The parameters as JSON; nil if there are none.
    package func params() throws -> JSON? {
        let json = try JSONValueEncoder.encode(self)
        return json == .object([]) ? nil : json
    }

    /// Reads the `result` of a response.
    static func reply(from json: JSON) -> Result<Reply, ControlFailure> {
        do {
            return .success(try JSONValueDecoder.decode(Reply.self, from: json, name: "result", strict: false))
        } catch let error as JSONMismatch {
            return .failure(.badReply(Phrase(verbatim: error.message)))
        } catch {
            return .failure(.badReply(Phrase("it has the wrong form")))
        }
    }
}
