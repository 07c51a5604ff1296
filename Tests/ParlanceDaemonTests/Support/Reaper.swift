import Foundation
import ParlanceWaiting
import Synchronization

/// Undoes what a test did to the machine (processes, network namespaces, the folder), even if the test program dies.
///
/// A small shell process holds the list. It reads the list from a pipe whose other end only this program holds, so it
/// notices every kind of end of this program, and then does what `finish` would have done.
final class Reaper: Sendable {
    private struct State {
        var children: [Child] = []
        var namespaces: [String] = []
    }

    private let folder: URL
    private let state = Mutex(State())
    private let list: FileHandle
    private let shell: Process

    private static let script = """
        trap '' INT TERM HUP
        pids= spaces= folder=
        while read -r kind what; do
            case $kind in
            pid) pids="$pids $what" ;;
            ended) rest=; for pid in $pids; do [ "$pid" = "$what" ] || rest="$rest $pid"; done; pids=$rest ;;
            netns) spaces="$spaces $what" ;;
            folder) folder=$what ;;
            finished) exit 0 ;;
            esac
        done
        for pid in $pids; do kill -9 "$pid"; done
        for space in $spaces; do ip netns del "$space"; done
        [ -z "$folder" ] || rm -rf -- "$folder"
        """

    init(folder: URL) throws {
        self.folder = folder
        let pipe = Pipe()
        shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", Self.script]
        shell.standardInput = pipe
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        list = pipe.fileHandleForWriting
        note("folder \(folder.path)")
    }

    private func note(_ line: String) {
        try? list.write(contentsOf: Data((line + "\n").utf8))
    }

    func add(_ child: Child) {
        state.withLock { $0.children.append(child) }
        note("pid \(child.processID)")
    }

    /// The process has ended; its number may belong to another process from now on.
    func ended(_ child: Child) {
        note("ended \(child.processID)")
    }

    func add(namespace: String) {
        state.withLock { $0.namespaces.append(namespace) }
        note("netns \(namespace)")
    }

    /// Kills every process at once; whoever waits for an answer from one gets an error.
    func killAll() {
        for child in state.withLock({ $0.children }) { child.signal(SIGKILL) }
    }

    /// Undoes everything.
    func finish() async throws {
        killAll()
        for child in state.withLock({ $0.children }) { try await child.ended() }
        for namespace in state.withLock({ $0.namespaces }) {
            let ip = try Process.run(try Programs.system("ip"), arguments: ["netns", "del", namespace])
            try await eventually("ip has removed namespace \(namespace)") { !ip.isRunning }
        }
        try FileManager.default.removeItem(at: folder)
        note("finished")
        try list.close()
    }
}
