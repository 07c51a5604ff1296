import Logging
import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceNode
import ParlanceRecords
import ParlanceWire
import ParlanceWords

extension SettingKey {
    /// The table of all settings: what each means, when a change takes effect, and which values are valid.
    var descriptor: SettingDescriptor {
        switch self {
        case .name:
            SettingDescriptor(
                \.name,
                .text,
                .reload,
                meaning,
                texts: { $0.map { [$0] } ?? [] },
                read: Self.readName
            )
        case .port:
            SettingDescriptor(
                \.port,
                .number,
                .restart,
                meaning,
                texts: { ["\($0)"] },
                read: Self.readPort
            )
        case .listen:
            .list(\.listen, .restart, meaning, text: { $0 }, element: Self.numericAddress)
        case .pagePort:
            .port(\.pagePort, .restart, meaning, read: Self.readPagePort)
        case .modelPort:
            .port(\.modelPort, .reload, meaning, read: Self.readModelPort)
        case .peers:
            .list(\.peers, .reload, meaning, text: \.description, element: Self.endpoint)
        case .mdns:
            .word(\.mdns, .restart, { Phrase("\"\($0)\" is not a way to use mDNS.") }, meaning)
        case .mdnsInterfaces:
            .list(\.mdnsInterfaces, .restart, meaning, text: { $0 }, element: { $0 })
        case .hidden:
            SettingDescriptor(
                \.hidden,
                .flag,
                .restart,
                meaning,
                texts: { ["\($0)"] },
                read: Self.readFlag
            )
        case .autoAccept:
            .word(\.autoAccept, .reload, { Phrase("\"\($0)\" does not say who is accepted.") }, meaning)
        case .notify:
            .word(\.notify, .reload, { Phrase("\"\($0)\" does not say of what you are notified.") }, meaning)
        case .quietHours:
            SettingDescriptor(
                \.quietHours,
                .text,
                .reload,
                meaning,
                texts: { [$0?.text ?? Self.noQuietHours] },
                read: Self.readQuietHours
            )
        case .autoFetch: .size(\.autoFetch, Settings.autoFetchSizes, off: 0, meaning)
        case .fileLimit: .size(\.fileLimit, Settings.fileLimits, meaning)
        case .fileQuota: .size(\.fileQuota, Settings.fileQuotas, off: Settings.noQuota, meaning)
        case .fileRate: .rate(\.fileRate, Settings.fileRates, meaning)
        case .messageQuota: .size(\.messageQuota, Settings.messageQuotas, off: Settings.noQuota, meaning)
        case .logLevel:
            .word(\.logLevel, .reload, { Phrase("\"\($0)\" is not a log level.") }, meaning)
        }
    }

    /// What a setting means, in one or two sentences for people.
    private var meaning: Phrase {
        switch self {
        case .name:
            Phrase(
                "The name that others see. Without it, the node keeps its stored name, which is at first your login name."
            )
        case .port:
            Phrase("The port for links from peers, 0 (any) to 65535. If it is not free, the node takes another one.")
        case .listen:
            Phrase("The addresses of this machine at which the node takes links. An empty list means all.")
        case .pagePort:
            Phrase(
                "The port of the local page, 0 (any) to 65535. If it is not free, another one is taken; off for no page."
            )
        case .modelPort:
            Phrase(
                "The port of a model server on this computer that is offered to people you know, 1 to 65535, or off."
            )
        case .peers:
            Phrase("Addresses of peers that mDNS does not reach, such as 192.0.2.7:4747.")
        case .mdns:
            Phrase("Who speaks mDNS: the system's service, the responder inside the daemon, either one, or nobody.")
        case .mdnsInterfaces:
            Phrase("The only network interfaces for mDNS. An empty list means all.")
        case .hidden:
            Phrase("Whether the node announces nothing of its peer ID and dials only addresses that it knows.")
        case .autoAccept:
            Phrase(
                "Who is accepted without asking you: members of your workspace, or nobody. A change holds for new links."
            )
        case .notify:
            Phrase(
                "Of what the desktop notifies you: none, mention, direct (messages to you alone, and mentions), or all messages."
            )
        case .quietHours:
            Phrase("When it never notifies you, such as 22:00-07:00, or none.")
        case .autoFetch:
            Phrase("The largest file that is fetched without being asked for, such as 10 MiB, or off.")
        case .fileLimit:
            Phrase("The largest file that is sent or fetched, up to 1 TiB.")
        case .fileQuota:
            Phrase(
                "How much room all files take. Files of others that were used longest ago are removed first; off for no end."
            )
        case .fileRate:
            Phrase(
                "The most bytes of files to send in a second, and to fetch, such as 2 MiB, or 2 MiB 8:00-18:00 for these hours only; off for no limit."
            )
        case .messageQuota:
            Phrase(
                "The most bytes of messages that one person can write into one conversation in a day, or off for no limit."
            )
        case .logLevel:
            Phrase("How much the daemon logs.")
        }
    }

    // The values that are more than words.

    private static func readName(_ given: [String]) throws(SettingFault) -> String? {
        let name = try SettingFault.one(given)
        let shown = name.withoutControlCharacters.trimmed
        if let reason = name.faultAsName {
            throw .value(Phrase("The name \"\(shown)\" cannot be used."), advice: reason.sentence)
        }
        return shown
    }

    private static func readPort(_ given: [String]) throws(SettingFault) -> UInt16 {
        guard let number = Int(try SettingFault.one(given)) else { throw .form }
        guard let port = UInt16(exactly: number) else {
            throw .value(
                Phrase("\(number) is not a valid port."),
                advice: Phrase("Use a number from 0 (any) to 65535.")
            )
        }
        return port
    }

    private static func readPagePort(_ given: [String]) throws(SettingFault) -> UInt16? {
        try SettingFault.one(given).lowercased() == SettingDescriptor.none ? nil : try readPort(given)
    }

    private static func readModelPort(_ given: [String]) throws(SettingFault) -> UInt16? {
        let port = try readPagePort(given)
        guard port != 0 else {
            throw .value(
                Phrase("\(0) is not a valid port."),
                advice: Phrase("Use a number from 1 to 65535, or off.")
            )
        }
        return port
    }

    private static func readFlag(_ given: [String]) throws(SettingFault) -> Bool {
        guard let flag = Bool(try SettingFault.one(given)) else { throw .form }
        return flag
    }

    private static let noQuietHours = "none"

    private static func readQuietHours(_ given: [String]) throws(SettingFault) -> QuietHours? {
        let text = try SettingFault.one(given)
        if text == noQuietHours { return nil }
        guard let hours = QuietHours(text) else {
            throw .value(
                Phrase("\"\(text.withoutControlCharacters)\" is not a part of a day."),
                advice: Phrase("Write two different times as HH:MM-HH:MM, such as 22:00-07:00, or none.")
            )
        }
        return hours
    }

    /// Checks the form only: whether this machine has it now is told by `LiveSettings.problems`.
    private static func numericAddress(_ text: String) throws(SettingFault) -> String {
        guard let place = ZonedAddress(text) else {
            throw .value(
                Phrase("\"\(text.withoutControlCharacters)\" is not a numeric address."),
                advice: Phrase("Give addresses of this machine such as 192.0.2.7 or ::1, or none for all.")
            )
        }
        guard !place.lacksZone else { throw lacksInterface(text, written: "\(text)%eth1") }
        guard place.address.range != .unusable || place.address.isUnspecified else {
            throw .value(
                Phrase("\"\(text)\" cannot be the address of a computer."),
                advice: Phrase("Give addresses of this machine such as 192.0.2.7 or ::1, or none for all.")
            )
        }
        return text
    }

    private static func endpoint(_ text: String) throws(SettingFault) -> Endpoint {
        guard let endpoint = Endpoint(text: text) else {
            throw .value(
                Phrase("\"\(text.withoutControlCharacters)\" is not the address of a peer."),
                advice: Phrase("Write HOST:PORT, 192.0.2.7:4747 or [2001:db8::7]:4747.")
            )
        }
        return endpoint
    }

    /// Refuses what versions before this one took and cannot work. A file may still have it, so that the node starts and
    /// tells it (`LiveSettings.problems`).
    func checkNew(_ settings: Settings) throws(SettingFault) {
        switch self {
        case .name: try Self.check(name: settings.name)
        case .peers: try Self.check(peers: settings.peers)
        default: break
        }
    }

    private static func check(name: String?) throws(SettingFault) {
        guard let name, name.isReservedName else { return }
        throw .value(
            Phrase("The name \"\(name)\" cannot be used."),
            advice: Phrase("It is, or looks like, something with another meaning in Parlance. Choose another name.")
        )
    }

    private static func check(peers: [Endpoint]) throws(SettingFault) {
        for peer in peers {
            if ZonedAddress(peer.host)?.lacksZone == true {
                let example = Endpoint(host: "\(peer.host)%eth1", port: peer.port)
                throw lacksInterface(peer.description, written: example.description)
            }
            guard !peer.canBeOfComputer else { continue }
            throw .value(
                Phrase("\"\(peer.description.withoutControlCharacters)\" cannot be the address of a computer."),
                advice: Phrase(
                    "Write HOST:PORT, 192.0.2.7:4747 or [2001:db8::7]:4747, and a space between two of them."
                )
            )
        }
    }

    private static func lacksInterface(_ text: String, written example: String) -> SettingFault {
        .value(
            Phrase("\"\(text)\" is a link-local address, which needs its interface."),
            advice: Phrase("Write, for example, \(example). To list the interfaces: ip link")
        )
    }
}
