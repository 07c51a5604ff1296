import Foundation
import ParlanceWaiting

/// A D-Bus of a lab's own, where its daemons look for the system's (`Programs.environment`).
struct PrivateBus {
    let child: Child

    static func address(in folder: String) -> String { "unix:path=\(folder)/bus" }

    /// Starts it and waits until it can be reached.
    static func start(in lab: Lab) async throws -> PrivateBus {
        let socket = lab.folder.appendingPathComponent("bus")
        try? FileManager.default.removeItem(at: socket)
        let rules = """
            <busconfig>
              <type>system</type>
              <listen>\(address(in: lab.folder.path))</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_type="method_call"/>
                <allow send_type="signal"/>
                <allow send_requested_reply="true" send_type="method_return"/>
                <allow send_requested_reply="true" send_type="error"/>
                <allow receive_type="method_call"/>
                <allow receive_type="method_return"/>
                <allow receive_type="error"/>
                <allow receive_type="signal"/>
              </policy>
            </busconfig>
            """
        let file = lab.folder.appendingPathComponent("bus.conf")
        try rules.write(to: file, atomically: true, encoding: .utf8)
        let arguments = ["--config-file=\(file.path)", "--nofork", "--nopidfile"]
        let child = try lab.start(try Programs.system("dbus-daemon"), arguments, name: "dbus")
        try await eventually("the bus listens") {
            if let code = child.exitCode { throw Ended(code: code, complaint: child.complained) }
            // The file is there before anybody listens.
            return (try? RawSocket.connected(toPath: socket.path)) != nil
        }
        return PrivateBus(child: child)
    }

    func stop(in lab: Lab) async throws {
        child.signal(SIGKILL)
        try await child.ended()
        lab.reaper.ended(child)
    }

    struct Ended: Error {
        let code: Int32
        let complaint: String
    }
}
