import Logging
import NIOCore
import ParlanceControl
import ParlanceCore
import ParlanceNetwork

extension SettingKey {
    /// The table of all settings: what each means, when a change takes effect, and which values are valid.
    var descriptor: SettingDescriptor {
        switch self {
        case .name:
            SettingDescriptor(
                \.name,
                .text,
                .reload,
                "The name that others see. Without it, the node keeps its stored name, which is at first your login name.",
                texts: { $0.map { [$0] } ?? [] },
                read: Self.readName
            )
        case .port:
            SettingDescriptor(
                \.port,
                .number,
                .restart,
                "The port for links from peers, 0 (any) to 65535. If it is not free, the node takes another one.",
                texts: { ["\($0)"] },
                read: Self.readPort
            )
        case .listen:
            .list(
                \.listen,
                .restart,
                "The addresses of this machine at which the node takes links. An empty list means all.",
                text: { $0 },
                element: Self.numericAddress
            )
        case .peers:
            .list(
                \.peers,
                .reload,
                "Addresses of peers that mDNS does not reach, such as 192.0.2.7:4747.",
                text: \.description,
                element: Self.endpoint
            )
        case .mdns:
            .word(
                \.mdns,
                .restart,
                "is not a way to use mDNS",
                "Who speaks mDNS: the system's service, the responder inside the daemon, either one, or nobody."
            )
        case .mdnsInterfaces:
            .list(
                \.mdnsInterfaces,
                .restart,
                "The only network interfaces for mDNS. An empty list means all.",
                text: { $0 },
                element: { $0 }
            )
        case .hidden:
            SettingDescriptor(
                \.hidden,
                .flag,
                .restart,
                "Whether the node announces nothing of its peer ID and dials only addresses that it knows.",
                texts: { ["\($0)"] },
                read: Self.readFlag
            )
        case .autoAccept:
            .word(
                \.autoAccept,
                .reload,
                "does not say who is accepted",
                "Who is accepted without asking you: members of your workspace, or nobody. A change holds for new links."
            )
        case .logLevel: .word(\.logLevel, .reload, "is not a log level", "How much the daemon logs.")
        }
    }

    // The values that are more than words.

    private static func readName(_ given: [String]) throws(SettingFault) -> String? {
        let name = try SettingFault.one(given)
        let shown = name.withoutControlCharacters
        if let reason = name.faultAsName {
            throw .value("The name \"\(shown)\" cannot be used.", advice: "A name \(reason.text).")
        }
        return shown
    }

    private static func readPort(_ given: [String]) throws(SettingFault) -> UInt16 {
        guard let number = Int(try SettingFault.one(given)) else { throw .form }
        guard let port = UInt16(exactly: number) else {
            throw .value("\(number) is not a valid port.", advice: "Use a number from 0 (any) to 65535.")
        }
        return port
    }

    private static func readFlag(_ given: [String]) throws(SettingFault) -> Bool {
        guard let flag = Bool(try SettingFault.one(given)) else { throw .form }
        return flag
    }

    /// Checks the form only: whether it is an address of this machine shows when the node listens.
    private static func numericAddress(_ text: String) throws(SettingFault) -> String {
        guard (try? SocketAddress(ipAddress: text, port: 0)) != nil else {
            throw .value(
                "\"\(text.withoutControlCharacters)\" is not a numeric address.",
                advice: "Give addresses of this machine such as 192.0.2.7 or ::1, or none for all."
            )
        }
        return text
    }

    private static func endpoint(_ text: String) throws(SettingFault) -> Endpoint {
        guard let endpoint = Endpoint(text: text) else {
            throw .value(
                "\"\(text.withoutControlCharacters)\" is not the address of a peer.",
                advice: "Write HOST:PORT, 192.0.2.7:4747 or [2001:db8::7]:4747."
            )
        }
        return endpoint
    }
}
