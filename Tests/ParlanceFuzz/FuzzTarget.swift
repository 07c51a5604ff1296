/// The code that bytes from outside reach, each as a function that accepts any bytes and traps if a promise is broken.
/// libFuzzer drives them (`contrib/fuzz`), and a test runs them over earlier findings (`Tests/Corpora`).
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The frame splitter, and the records of a link whose keys the attacker has.
    case records
    /// The preamble, the handshake and the certificates, from a stranger and from somebody in between.
    case handshake
    /// Every kind of frame into an engine that has conversations, a group, friends and strangers.
    case frames
    /// mDNS packets, TXT records, and the cache of what was seen.
    case discovery
    /// Lines to the control socket.
    case rpc
    /// The configuration: file, environment and flags.
    case configuration
    /// A query, and the text that it is compared with.
    case search
    /// A backup file.
    case backup
    /// A file on a stick.
    case parcel
    /// A sealed file on a stick.
    case sealed
    /// Manifests, sets of chunks, listings of folders, and names of files.
    case files
    /// Pictures, of which the metadata is removed.
    case pictures
    /// Events of a charter, and audit logs.
    case charter
    /// Bytes to the port of the local page.
    case page

    package var purpose: String {
        switch self {
        case .records: "records and frames of a link"
        case .handshake: "preamble, handshake and certificates"
        case .frames: "frames into an engine with conversations and a group"
        case .discovery: "mDNS packets, TXT records, the cache"
        case .rpc: "JSON-RPC lines to the control socket"
        case .configuration: "configuration file, environment, flags"
        case .search: "queries, and the texts they are compared with"
        case .backup: "backup files"
        case .parcel: "files on a stick, into an engine with conversations and a group"
        case .sealed: "sealed files on a stick"
        case .files: "manifests, sets of chunks, listings of folders, names"
        case .pictures: "pictures whose metadata is removed"
        case .charter: "events of a charter, and audit logs"
        case .page: "HTTP requests to the local page"
        }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .records: RecordFuzz.run(bytes)
        case .handshake: HandshakeFuzz.run(bytes)
        case .frames: FrameFuzz.run(bytes)
        case .discovery: DiscoveryFuzz.run(bytes)
        case .rpc: ControlFuzz.run(bytes)
        case .configuration: ConfigurationFuzz.run(bytes)
        case .search: SearchFuzz.run(bytes)
        case .backup: BackupFuzz.run(bytes)
        case .parcel: ParcelFuzz.run(bytes)
        case .sealed: SealedFuzz.run(bytes)
        case .files: FileFuzz.run(bytes)
        case .pictures: PictureFuzz.run(bytes)
        case .charter: CharterFuzz.run(bytes)
        case .page: PageFuzz.run(bytes)
        }
    }

    package func run(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { run($0) }
    }

    /// Honest input to start from: a fuzzer that begins with nothing reaches only the outermost check.
    package var seeds: [[UInt8]] {
        switch self {
        case .records: RecordFuzz.seeds
        case .handshake: HandshakeFuzz.seeds
        case .frames: FrameFuzz.seeds
        case .discovery: DiscoveryFuzz.seeds
        case .rpc: ControlFuzz.seeds
        case .configuration: ConfigurationFuzz.seeds
        case .search: SearchFuzz.seeds
        case .backup: BackupFuzz.seeds
        case .parcel: ParcelFuzz.seeds
        case .sealed: SealedFuzz.seeds
        case .files: FileFuzz.seeds
        case .pictures: PictureFuzz.seeds
        case .charter: CharterFuzz.seeds
        case .page: PageFuzz.seeds
        }
    }
}
