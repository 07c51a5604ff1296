import Foundation
import ParlanceControl
import ParlanceNetwork
import ParlanceTexts
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
    /// The interfaces that have an address and no link, so that nobody is reached by them.
    var withoutLink: [String] = []

    /// Bytes of free space below which the store may soon be unable to write.
    static let lowBytes: UInt64 = 100 << 20

    static func now(dataPath: String) -> MachineState {
        var state = MachineState(
            addresses: MachineAddress.all(),
            withoutMulticast: MachineAddress.interfacesWithoutMulticast(),
            withoutLink: MachineAddress.interfacesWithoutLink()
        )
        var info = statvfs()
        if statvfs(dataPath, &info) == 0 { state.freeBytes = UInt64(info.f_bavail) * UInt64(info.f_frsize) }
        return state
    }

    /// Why this computer reaches nobody now, as `status` says it; `nil` if it has a network. It asks the kernel: ask
    /// `NodeFacts.offline`.
    static func offlineNow() -> NodeStatus.Problem? {
        guard MachineAddress.all().isEmpty else { return nil }
        return MachineState(withoutLink: MachineAddress.interfacesWithoutLink()).offline
    }

    /// Whether there is no network, so that nobody is found or reached whatever else is right or wrong.
    var isOffline: Bool { addresses.isEmpty }

    /// The code of what is said then.
    static let offlineCode = "network"

    /// What `status`, `peers`, `outbox` and `doctor` say without a network; `nil` if there is one.
    var offline: NodeStatus.Problem? {
        guard isOffline else { return nil }
        return NodeStatus.Problem(
            code: Self.offlineCode,
            message: Self.whyOffline(withoutLink),
            advice: "Plug in the cable or join the Wi-Fi; ip address shows what there is."
        )
    }

    /// Why there is no network.
    ///
    /// - Parameter withoutLink: the interfaces that have an address and no link.
    private static func whyOffline(_ withoutLink: [String]) -> Phrase {
        guard let first = withoutLink.first else {
            return Phrase("This machine has no network address besides loopback.")
        }
        guard withoutLink.count > 1 else {
            return Phrase(
                "The network interface \(first) has an address and no link: its cable is out, its Wi-Fi is not joined, or it is switched off."
            )
        }
        let names = PeopleText.list(withoutLink)
        return Phrase(
            "The network interfaces \(names) have addresses and no link: their cables are out, their Wi-Fi is not joined, or they are switched off."
        )
    }

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
        return found + [offline].compactMap(\.self)
    }
}
