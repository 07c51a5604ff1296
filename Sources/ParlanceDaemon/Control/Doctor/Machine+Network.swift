import Foundation
import ParlanceControl
import ParlanceNetwork
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The state of the machine that affects the node.
struct MachineState: Sendable {
    var addresses: [MachineAddress] = []
    /// Bytes free on the disk of the data folder; `nil` if unknown.
    var freeBytes: UInt64?
    /// The interfaces of a network that have multicast switched off.
    var withoutMulticast: [String] = []

    /// Bytes of free space below which the store may soon be unable to write.
    static let lowBytes: UInt64 = 100 << 20

    static func now(dataPath: String) -> MachineState {
        var state = MachineState(
            addresses: MachineAddress.all(),
            withoutMulticast: MachineAddress.interfacesWithoutMulticast()
        )
        var info = statvfs()
        if statvfs(dataPath, &info) == 0 { state.freeBytes = UInt64(info.f_bavail) * UInt64(info.f_frsize) }
        return state
    }

    /// Whether this computer has no network now. It asks the kernel: ask once for a whole request.
    static func isOfflineNow() -> Bool { MachineAddress.all().isEmpty }

    /// Whether there is no network, so that nobody is found or reached whatever else is right or wrong.
    var isOffline: Bool { addresses.isEmpty }

    /// What `status`, `peers`, `outbox` and `doctor` say then.
    static let offline = NodeStatus.Problem(
        code: "network",
        message: "This machine has no network address besides loopback.",
        advice: "Plug in the cable or join the Wi-Fi; ip address shows what there is."
    )

    /// The problems of the machine, the most important first.
    var problems: [NodeStatus.Problem] {
        var found: [NodeStatus.Problem] = []
        if let freeBytes, freeBytes < Self.lowBytes {
            found.append(
                NodeStatus.Problem(
                    code: "disk",
                    message: "Only \(FileText.phrase(freeBytes)) are free where your data are.",
                    advice:
                        "Make room: when the disk is full, messages can neither be taken nor sent. To see what takes it: df -h"
                )
            )
        }
        return found + (isOffline ? [Self.offline] : [])
    }
}
