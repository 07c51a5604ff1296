import Dispatch
import Foundation
import ParlanceWaiting
import Synchronization
import Testing

@testable import ParlanceDaemon

/// A change of a folder is noticed, however the path leads to it and whatever of it is there.
@Suite struct FolderWatchTests {
    /// The hooks that stood in the folder at the last change; nil before the first look.
    private final class Seen: Sendable {
        private let names = Mutex<[String]?>(nil)

        func look(at folder: HookFolder) {
            let found = (try? folder.look())?.map(\.name) ?? []
            names.withLock { $0 = found }
        }

        func become(_ wanted: [String], _ what: String) async throws {
            try await eventually(what) { names.withLock { $0 } == wanted }
        }
    }

    /// Watches a folder that holds no hooks yet.
    private static func watching(_ path: String, _ body: (Seen) async throws -> Void) async throws {
        let (seen, queue) = (Seen(), DispatchQueue(label: "watch"))
        let watch = FolderWatch(path, queue) { seen.look(at: HookFolder(path: path)) }
        queue.async { watch.start() }
        defer { queue.async { watch.stop() } }
        try await seen.become([], "it has begun")
        try await body(seen)
    }

    private static func inFolders(_ body: (_ links: ScriptFolder, _ target: ScriptFolder) async throws -> Void)
        async throws
    {
        let (links, target) = (try ScriptFolder(), try ScriptFolder())
        defer { for folder in [links, target] { folder.remove() } }
        try await body(links, target)
    }

    private static func makeHooks(_ path: String) throws {
        try ScriptFolder(at: URL(fileURLWithPath: path, isDirectory: true)).write("on-message", "true")
    }

    @Test func aFolderThatIsMadeAndRemovedIsNoticed() async throws {
        try await Self.inFolders { folder, _ in
            let path = folder.path + "/deep/hooks"
            try await Self.watching(path) { seen in
                for _ in 1...2 {
                    try Self.makeHooks(path)
                    try await seen.become(["on-message"], "the hook is seen")
                    try FileManager.default.removeItem(atPath: folder.path + "/deep")
                    try await seen.become([], "it is gone")
                }
            }
        }
    }

    /// People who keep their settings elsewhere link to folders that are not there yet, as before a checkout.
    @Test(arguments: ["", "/inside"]) func theFolderToWhichALinkLeadsIsNoticed(below: String) async throws {
        try await Self.inFolders { links, target in
            // By way of a second link, which is relative.
            for (link, goal) in [("hooks", "second"), ("second", target.path + "/deep/hooks")] {
                try FileManager.default.createSymbolicLink(
                    atPath: links.path + "/" + link,
                    withDestinationPath: goal
                )
            }
            try await Self.watching(links.path + "/hooks" + below) { seen in
                for _ in 1...2 {
                    try Self.makeHooks(target.path + "/deep/hooks" + below)
                    try await seen.become(["on-message"], "the hook is seen")
                    try FileManager.default.removeItem(atPath: target.path + "/deep")
                    try await seen.become([], "it is gone")
                }
                // Another link takes its place.
                try FileManager.default.removeItem(atPath: links.path + "/hooks")
                try Self.makeHooks(links.path + "/hooks" + below)
                try await seen.become(["on-message"], "the folder in the place of the link is seen")
            }
        }
    }

    /// Links that lead to each other end nowhere, and the watch goes on.
    @Test func linksInACircleAreNoHarm() async throws {
        try await Self.inFolders { folder, _ in
            for (link, goal) in [("hooks", "other"), ("other", "hooks")] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path + "/" + link,
                    withDestinationPath: goal
                )
            }
            try await Self.watching(folder.path + "/hooks") { seen in
                try FileManager.default.removeItem(atPath: folder.path + "/hooks")
                try Self.makeHooks(folder.path + "/hooks")
                try await seen.become(["on-message"], "the hook is seen")
            }
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root enters every folder"), arguments: [0, 0o600, 0o300])
    func aFolderAboveThatIsOpenedIsNoticed(mode: UInt32) async throws {
        try await Self.inFolders { links, target in
            let above = target.path + "/above"
            try Self.makeHooks(above + "/hooks")
            try FileManager.default.createSymbolicLink(
                atPath: links.path + "/hooks",
                withDestinationPath: above + "/hooks"
            )
            try #require(chmod(above + (mode == 0o300 ? "/hooks" : ""), mode) == 0)
            try await Self.watching(links.path + "/hooks") { seen in
                try #require(chmod(above, 0o700) == 0)
                try #require(chmod(above + "/hooks", 0o700) == 0)
                try await seen.become(["on-message"], "the hook is seen")
            }
        }
    }
}
