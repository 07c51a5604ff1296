import Foundation
import Testing

@testable import ParlanceNetwork

/// Which bridges lead nowhere but to containers and virtual machines, by what the kernel lists of interfaces.
@Suite struct InnerBridgeTests {
    private func withFolder(_ paths: [String], _ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(
            "bridges-\(UInt32.random(in: 0...(.max)))"
        )
        defer { try? FileManager.default.removeItem(at: root) }
        for path in paths {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(path),
                withIntermediateDirectories: true
            )
        }
        try body(root.path)
    }

    @Test(arguments: [
        ("docker0", true), ("docker1", true), ("br0", false), ("br1", false), ("eth0", false), ("nosuch9", false),
    ])
    func bridges(_ name: String, _ isInner: Bool) throws {
        let paths = [
            "docker0/bridge", "docker1/bridge", "docker1/brif/veth1", "veth1", "br0/bridge", "br0/brif/eth0",
            "br0/brif/veth2", "veth2", "eth0/device", "br1/bridge", "br1/brif/bond0.7", "bond0.7/lower_bond0",
            "bond0/lower_eth0",
        ]
        try withFolder(paths) { #expect(InnerBridge.isNamed(name, root: $0) == isInner) }
    }
}
