package import ParlanceWire

/// The files that messages name which are shown.
package struct NamedFiles: Equatable, Sendable {
    package var all: Set<FileID>
    /// Those that this user has sent.
    package var own: Set<FileID>

    package init(all: Set<FileID> = [], own: Set<FileID> = []) {
        self.all = all
        self.own = own
    }
}
