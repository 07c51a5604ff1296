/// An operation about the files of one message, or about one file. The reply has them as they are afterwards. It fails if it
/// can be done with none of them.
package protocol FileOperation: ControlOperation where Reply == FilesReply {
    /// The ID of a message or a file, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    var id: String { get }

    init(id: String)
}

extension FileFetchOperation {
    package init(id: String) { self.init(id: id, single: nil) }
}
