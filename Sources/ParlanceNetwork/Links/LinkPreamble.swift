import ParlanceCore
import ParlanceNoise

/// The first bytes of a link, from the initiator; they are the prologue of the handshake, so nobody can change them.
///
/// `PLN`, the version, the mode (0 open, 1 workspace), and the 4-byte tag of the workspace key, zero in open mode.
struct LinkPreamble {
    static let count = 9
    static let version: UInt8 = 1
    private static let magic = Array("PLN".utf8)
    private static let openMode: UInt8 = 0
    private static let workspaceMode: UInt8 = 1

    /// The key the link uses; `nil` in open mode.
    let key: WorkspaceKey?

    var pattern: NoisePattern { key == nil ? .xx : .xxPSK3 }

    /// Announces a link with this key, or an open link.
    init(key: WorkspaceKey?) {
        self.key = key
    }

    /// Reads the preamble that an initiator sent. `keys`: the keys that we hold; none means that we are an open node.
    /// There is no fall-back: a node with keys accepts no open links, and a node without keys accepts only open links.
    init(_ bytes: [UInt8], keys: [WorkspaceKey]) throws(LinkError) {
        guard bytes.count == Self.count, bytes.starts(with: Self.magic) else { throw .notParlance }
        guard bytes[3] == Self.version else { throw .unknownVersion(bytes[3]) }
        let tag = bytes[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch bytes[4] {
        case Self.openMode:
            guard keys.isEmpty, tag == 0 else { throw .modeNotTaken }
            key = nil
        case Self.workspaceMode:
            guard let held = keys.first(where: { $0.tag == tag }) else { throw .modeNotTaken }
            key = held
        default:
            throw .modeNotTaken
        }
    }

    var bytes: [UInt8] {
        let tag = key?.tag ?? 0
        return Self.magic + [Self.version, key == nil ? Self.openMode : Self.workspaceMode]
            + withUnsafeBytes(of: tag.bigEndian) { Array($0) }
    }
}
