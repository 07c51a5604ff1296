import FoundationEssentials

/// Tells bridges that only join containers or virtual machines from bridges that lead to the network.
enum InnerBridge {
    /// How many interfaces may lie on each other, such as a bond under a VLAN: more than people stack.
    private static let depth = 4

    /// Whether an interface is a bridge none of whose ports has a device, also through the interfaces below it.
    ///
    /// - Parameter root: the folder in which the kernel lists interfaces.
    static func isNamed(_ name: String, root: String = "/sys/class/net") -> Bool {
        guard has("\(root)/\(name)/bridge") else { return false }
        return !names(in: "\(root)/\(name)/brif").contains { leadsOut($0, root, depth) }
    }

    private static func leadsOut(_ name: String, _ root: String, _ depth: Int) -> Bool {
        if has("\(root)/\(name)/device") { return true }
        guard depth > 0 else { return false }
        let below = names(in: "\(root)/\(name)").filter { $0.hasPrefix("lower_") }.map { $0.dropFirst("lower_".count) }
        return below.contains { leadsOut(String($0), root, depth - 1) }
    }

    private static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
