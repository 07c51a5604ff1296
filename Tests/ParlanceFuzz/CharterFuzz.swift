import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Events of a charter as anybody may write them, in any order, audit logs as anybody may hand them on, and what people
/// type or import: invitation codes and lists of people.
enum CharterFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        switch reader.number(below: 5) {
        case 0: readLog(reader.rest())
        case 1: evaluate(&reader)
        case 2: parse(&reader)
        case 3: readCode(reader.rest())
        default: readList(reader.rest())
        }
    }

    /// A code that is read is written as the same groups, whatever the name.
    private static func readCode(_ text: [UInt8]) {
        guard let code = InvitationCode(text: String(decoding: text, as: UTF8.self)) else { return }
        let again = InvitationCode(text: code.text)
        promise(
            again?.charter == code.charter && again?.invitationKey == code.invitationKey
                && again?.key.hash == code.key.hash,
            "a code says something else when it is written again"
        )
        promise(code.invitation == nil || code.charter != nil, "an invitation to no charter")
    }

    /// Every person of a list has a name of their own, and there are not too many.
    private static func readList(_ text: [UInt8]) {
        do throws(PeopleList.Fault) {
            let entries = try PeopleList(csv: String(decoding: text, as: UTF8.self)).entries
            promise(!entries.isEmpty && entries.count <= Limits.importedPeople, "an empty or long list")
            promise(Set(entries.map(\.peer)).count == entries.count, "somebody twice")
            promise(entries.allSatisfy { $0.name.faultAsName == nil }, "a name that is none")
        } catch {
            promise(error.line > 0, "a fault without a line")
        }
    }

    /// A log that is accepted is the one that its events give.
    private static func readLog(_ text: [UInt8]) {
        do throws(CharterLog.Fault) {
            let charter = try CharterLog.check(text)
            let lines = CharterLog.lines(of: charter).joined(separator: "\n")
            promise(
                text.elementsEqual(lines.utf8) || text.elementsEqual((lines + "\n").utf8),
                "a log says something else"
            )
        } catch {
            promise(error.line > 0, "a fault without a line")
        }
    }

    /// People write what the input says, after having seen what it says.
    private static func evaluate(_ reader: inout FuzzReader) {
        guard var writer = try? CharterWriter(people: 4) else { return }
        _ = writer.create()
        while !reader.isAtEnd, writer.events.count < 24 {
            let author = reader.number(below: 4)
            let action = WireMemberAction(rawValue: reader.number(below: 13)) ?? .unspecified
            let mask = reader.byte()
            let who = (0..<4).filter { mask & (1 << $0) != 0 }.map { writer.people[$0] }
            let after = (0..<(1 + reader.number(below: 2))).map { _ in
                writer.events[reader.number(below: writer.events.count)].id
            }
            let details = details(&reader, action)
            // A number without an action stands for an admission by an invitation.
            let isKnown = if case .UNRECOGNIZED = action { false } else { true }
            _ = writer.change(isKnown ? action : .admit, who, by: author, after: after, details)
        }
        checkOrder(writer)
    }

    private static func details(_ reader: inout FuzzReader, _ action: WireMemberAction) -> [UInt8] {
        var details = WireCharterDetails()
        switch action {
        case .rotate:
            details.number = UInt64(reader.byte())
            details.keyHash = Data(CharterWriter.key(reader.byte()).bytes)
        case .policy:
            details.name = reader.text()
            details.value = reader.text()
        case .UNRECOGNIZED:
            details.name = Charter.Invitation.prefix + reader.text()
            details.automatic = true
        default: return []
        }
        return details.encodedBytes()
    }

    /// Any bytes as bodies.
    private static func parse(_ reader: inout FuzzReader) {
        guard var writer = try? CharterWriter(people: 2) else { return }
        _ = writer.create()
        while !reader.isAtEnd, writer.events.count < 8 {
            _ = writer.append(reader.byte() & 1 == 0 ? .members : .create, reader.block(), by: 0)
        }
        checkOrder(writer)
    }

    /// The same events in reverse order, one by one, give the same.
    private static func checkOrder(_ writer: CharterWriter) {
        let whole = writer.charter
        var grown = Charter(id: writer.id)
        for event in writer.events.reversed() { grown.insert([event]) }
        promise(CharterLog.lines(of: grown) == CharterLog.lines(of: whole), "the order of arrival changes the log")
        promise(
            grown.admins == whole.admins && grown.excluded == whole.excluded,
            "the order of arrival changes who decides"
        )
        promise(whole.admins.allSatisfy { !whole.isExcluded($0) && whole.isMember($0) }, "an admin is no member")
        let keys = whole.rotations.map(\.key)
        promise(Set(keys).count == keys.count, "two rotations name one key")
        let log = CharterLog.lines(of: whole).joined(separator: "\n")
        promise((try? CharterLog.check(log.utf8)) != nil, "a log of its own is refused")
    }

    static var seeds: [[UInt8]] {
        let logs = (1...3).compactMap { seed -> [UInt8]? in
            guard let fuzzer = try? CharterFuzzer(people: 4, changes: 8, seed: UInt64(seed)) else { return nil }
            return [0] + CharterLog.lines(of: fuzzer.writer.charter).joined(separator: "\n").utf8
        }
        let appoint: [UInt8] = [0, 4, 0b0110, 0, 0]
        let exclude: [UInt8] = [1, 6, 0b1000, 0, 1]
        let rotate: [UInt8] = [1, 9, 0, 1, 1, 2, 1, 7]
        let policy: [UInt8] = [0, 10, 0, 0, 1] + FuzzReader.text("admission") + FuzzReader.text("approve")
        var body = WireMembersBody()
        body.action = .link
        let ids = (1...2).map { PeerID(value: CharterWriter.key($0)).grouped }
        let list = "name,peer ID\r\n\"Lovelace, Ada\",\(ids[0])\r\n\(ids[1]),Bob\r\n"
        return logs + codes.map { [3] + $0.utf8 } + [[4] + list.utf8] + [
            [1] + appoint + exclude, [1] + appoint + rotate + policy,
            [1] + appoint + [1, 6, 0b0100, 0, 1, 2, 6, 0b0010, 0, 1] + rotate,
            [2, 0] + FuzzReader.block(body.encodedBytes()) + [1] + FuzzReader.block([10, 1, 1]),
        ]
    }

    /// A code of each form.
    private static var codes: [String] {
        let key = SecretBytes(copying: [UInt8](repeating: 5, count: 32))
        let prefix = CharterPrefix(of: ConversationID(value: CharterWriter.key(1)))
        let secret = InvitationSecret(SecretBytes(copying: [UInt8](repeating: 6, count: 16)))
        let invitation = secret.flatMap { InvitationKey($0, to: prefix) }
        return [
            InvitationCode(name: "Ship", secret: key).text,
            InvitationCode(name: "Ship", secret: key, charter: prefix).text,
            InvitationCode(name: "Ship", secret: key, invitation).text,
        ]
    }
}
