import Foundation
import ParlanceNetwork

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the machine has to do with whether people are reached.
struct MachineState: Sendable {
    var addresses: [MachineAddress] = []
    /// Bytes free where the data are; `nil` if that cannot be told.
    var freeBytes: UInt64?
    /// Programs for firewalls that are installed.
    var firewalls: [Firewall] = []

    enum Firewall: String, CaseIterable, Sendable {
        case ufw
        case firewalld = "firewall-cmd"
        case nftables = "nft"

        /// The command that lets a port in.
        func command(port: Int) -> String {
            switch self {
            case .ufw: "ufw allow \(port)/tcp"
            case .firewalld: "firewall-cmd --add-port=\(port)/tcp"
            case .nftables: "nft insert rule inet filter input tcp dport \(port) accept"
            }
        }
    }

    static func now(dataPath: String) -> MachineState {
        var state = MachineState(addresses: MachineAddress.all())
        var info = statvfs()
        if statvfs(dataPath, &info) == 0 { state.freeBytes = UInt64(info.f_bavail) * UInt64(info.f_frsize) }
        let folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        state.firewalls = Firewall.allCases.filter { firewall in
            folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(firewall.rawValue)") }
        }
        return state
    }
}
