import Foundation
import Logging
import NIOCore
import NIOPosix
import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceNetwork
import ParlanceNode
import ParlanceProfile
import ParlanceStore
import ParlanceWaiting
import ParlanceWire
import Synchronization
import Testing

/// A whole node in this process: its engine, its links on loopback, its store and files in a folder of its own, and all
/// control methods. What the daemon adds is missing: it finds nobody by itself, so `meet` says where somebody is.
final class RealNode: Sendable {
    let name: String
    /// The peer ID, as programs are told.
    let id: String
    let control: LocalControl
    let host = TestHost()
    private let folder: String
    private let port: UInt16
    private let inbox = Inbox()
    private let node: Node
    private let opened: OpenedProfile
    private let links: LinkService
    private let files: ShelfService
    private let assistant: Task<Void, Never>
    /// Whom it dials; `nil` once it has stopped.
    private let dials = Mutex<[Endpoint]?>([])

    /// - Parameter fileLimit: the most bytes of a file.
    init(_ name: String, fileLimit: UInt64 = Limits.fileBytes) async throws {
        let (folder, inbox) = (try Self.newFolder(), self.inbox)
        let logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        (self.name, self.folder) = (name, folder)
        let opened = try OpenedProfile(
            folder: folder + "/data",
            stateFolder: folder + "/state",
            givenName: name,
            passphrase: .terminal,
            logger
        )
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let links = opened.links(to: inbox, openFiles: .max, logger: logger, group: loop)
        port = try await links.start(addresses: [Self.loopback], port: 0)
        let files = try ShelfService.open(
            in: folder + "/data",
            store: opened.store,
            inbox: inbox,
            logger: logger,
            allowed: .init(fileLimit: fileLimit)
        )
        let engine = opened.engine(
            listeningPort: port,
            fixed: [],
            acceptsMembers: true,
            autoFetchBytes: 0,
            fileRate: nil,
            authorDayBytes: nil
        )
        let hub = EventHub(engine.directory, peers: engine.peerViews) { [shelf = files.shelf] in shelf.has($0) }
        let instance = try ServiceInstance(name: "none", port: port, peerIDPrefix: nil, workspaceTags: [])
        let announcer = Announcer(instance, nil, logger)
        let runner = opened.runner(links, files, inbox, hub, announcer, logger: logger) {
            Issue.record("the store of a node broke: \($0)")
        }
        node = Node(engine: engine, inbox: inbox, runner: runner, loop: loop)
        let facts = NodeFacts(
            profileName: nil,
            dataPath: folder + "/data",
            listen: [Self.loopback],
            port: port,
            isProtected: false,
            isHidden: false,
            mode: .off,
            counters: runner.counters,
            refusedCalls: { [links] in links.refusedCalls }
        )
        let control = LocalControl(
            inbox: inbox,
            store: opened.store,
            files: files,
            copy: CopyReport(opened),
            hub: hub,
            facts: facts,
            host: host,
            assistant: Assistant(folder: folder + "/data"),
            offers: ModelOffers(nil, announcer),
            page: nil,
            logger: logger
        )
        (self.opened, self.links, self.files, self.control) = (opened, links, files, control)
        id = opened.store.identity.grouped.filter { $0 != " " }
        assistant = Task { await control.assistant.run(control) }
        await node.start()
    }

    /// Says goodbye and removes everything.
    func stop() async {
        guard dials.withLock({ $0.take() }) != nil else { return }
        assistant.cancel()
        await assistant.value
        await node.stop()
        await links.stop()
        await files.stop()
        opened.store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func call<Operation: ControlOperation>(_ operation: Operation) async throws -> Operation.Reply {
        try await control.call(operation)
    }

    /// Dials another node, and waits until both know of the link.
    func meet(_ other: RealNode) async throws {
        let endpoint = Endpoint(host: Self.loopback, port: other.port)
        let all = dials.withLock { dials in
            dials?.append(endpoint)
            return dials ?? []
        }
        // Nothing is fetched unasked, so tests see each step.
        inbox.offer(.settingsChanged(fixed: all, acceptsMembers: true, autoFetchBytes: 0))
        try await sees(other) { $0.connected }
        try await other.sees(self) { $0.connected }
    }

    /// Meets another node; each accepts the other.
    func befriend(_ other: RealNode) async throws {
        try await meet(other)
        _ = try await call(AcceptOperation(who: other.id))
        _ = try await other.call(AcceptOperation(who: id))
        try await sees(other) { $0.trust == .accepted && $0.presence == .online }
        try await other.sees(self) { $0.trust == .accepted && $0.presence == .online }
    }

    /// The code of the workspace.
    var code: String {
        get async throws { try await call(WorkspaceShowOperation()).workspace?.code ?? "" }
    }

    /// Lets another node join the workspace, and meets it there.
    func enlist(_ other: RealNode) async throws {
        _ = try await other.call(WorkspaceJoinOperation(code: try await code))
        try await meet(other)
        try await sees(other) { $0.trust == .accepted }
        try await other.sees(self) { $0.trust == .accepted }
    }

    /// Waits until what is told of another node satisfies a condition.
    func sees(_ other: RealNode, _ condition: (PeerInfo) -> Bool) async throws {
        var last: PeerInfo?
        try await eventually("\(name) sees \(other.name)", every: .milliseconds(4), last: "\(last, default: "nobody")")
        {
            last = try await call(PeersOperation(who: [other.id])).peers.first
            return last.map(condition) ?? false
        }
    }

    func conversation(with who: String) async throws -> ConversationInfo {
        try await call(HistoryOperation(who: who, limit: 1)).conversation
    }

    /// Everything that this node shows of a conversation, the oldest first.
    func messages(with who: String) async throws -> [MessageInfo] {
        var messages: [MessageInfo] = []
        while true {
            let page = try await call(HistoryOperation(who: who, after: messages.last?.id ?? "", limit: 200))
            messages += page.messages
            guard page.more else { return messages }
        }
    }

    func texts(with who: String) async throws -> [String] { try await messages(with: who).map(\.text) }

    /// Sends a file as a program does.
    ///
    /// - Returns: its ID.
    func send(_ bytes: [UInt8], as name: String, to other: RealNode, text: String = "") async throws -> String {
        let file = try await put(bytes)
        _ = try await call(SendOperation(who: other.id, text: text, files: [FileToSend(file: file, name: name)]))
        return file
    }

    /// Gives a file to the node.
    func put(_ bytes: [UInt8]) async throws -> String {
        let place = try await call(FilePrepareOperation())
        try Data(bytes).write(to: URL(fileURLWithPath: place.path))
        return try await call(FileAddOperation(name: place.name)).file
    }

    /// Waits until a file is listed in that state.
    func has(_ file: String, _ state: FileState) async throws {
        var last: FileState?
        try await eventually("\(name) has the file \(state)", every: .milliseconds(4), last: "\(last, default: "none")")
        {
            last = try await call(FilesOperation()).files.first { $0.file.file == file }?.file.state
            return last == state
        }
    }

    /// The bytes of a file that is here as a whole.
    func bytes(of file: String) async throws -> [UInt8] {
        let place = try await call(FilePathOperation(file: file))
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: place.path)))
    }

    /// Other bytes of the same number stand on the shelf.
    func damage(_ file: String, _ bytes: [UInt8]) async throws {
        let path = try await call(FilePathOperation(file: file)).path
        #expect(chmod(path, 0o600) == 0)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    // Parts.

    private static let loopback = "127.0.0.1"

    private static func newFolder() throws -> String {
        // Where the system has it and it is large, in memory: nothing waits for a disk.
        let memory = "/dev/shm"
        let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? UInt64
        let parent = free ?? 0 > 1 << 32 ? memory : NSTemporaryDirectory()
        let folder = parent + "/parlance-node-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return folder
    }
}
