import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// The audit log says what the events say, and everything else in it is found (charter.md, "Audit log").
@Suite struct CharterLogTests {
    private func log() throws -> [String] {
        var writer = try CharterWriter(people: 5)
        let creation = writer.create(title: "Ship \"K\" \u{212A}\u{202E}")
        let appointment = writer.change(.appoint, [1], by: 0, after: [creation])
        let rotation = writer.rotate(to: 1, by: 0, after: [appointment])
        let exclusion = writer.change(.exclude, [4], by: 1, after: [rotation])
        let policy = writer.policy("retention", "7 \"days\"", by: 1, after: [exclusion])
        _ = writer.change(.exclude, [0], by: 1, after: [policy])
        return CharterLog.lines(of: writer.charter)
    }

    private func fault(_ lines: [String]) -> CharterLog.Fault? {
        do throws(CharterLog.Fault) {
            _ = try CharterLog.check(lines.joined(separator: "\n").utf8)
            return nil
        } catch {
            return error
        }
    }

    /// The lines with a chain that fits them, as somebody who forges a log makes it.
    private func chained(_ lines: [String]) throws -> [String] {
        var last: [UInt8] = []
        return try lines.map { line in
            let end = try #require(line.range(of: ",\"hash\":\""))
            let sealed = String(line[..<end.lowerBound])
            last = Blake2b.hash(Domain.charterLog, last, Array(sealed.utf8))
            let hash = last.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return sealed + ",\"hash\":\"\(hash)\"}"
        }
    }

    @Test func aWholeLogIsValid() throws {
        let lines = try log()
        #expect(lines.count == 7 && lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
        #expect(lines[1].contains(#""action":"create","title":"Ship \"K\" \u212a\u202e","counts":true"#))
        #expect(lines[6].contains(#""counts":false"#), "a junior's exclusion of the creator is in the log, and void")
        #expect(fault(lines) == nil && fault(lines + [""]) == nil)
        #expect(try chained(lines) == lines)
        let last = try #require(lines.last)
        #expect(last.hasSuffix("\"\(CharterLog.fingerprint(of: lines))\"}"))
    }

    /// A loss that counts says whom it did not affect.
    @Test func theLogSaysWhomSeniorityShielded() throws {
        var writer = try CharterWriter(people: 3)
        let appointment = writer.change(.appoint, [1], by: 0, after: [writer.create()])
        _ = writer.change(.exclude, [2, 0], by: 1, after: [appointment])
        let lines = CharterLog.lines(of: writer.charter)
        let (creator, other) = (writer.people[0], writer.people[2])
        func whole(_ peer: PeerID) -> String { "\"" + peer.grouped.replacing(" ", with: "") + "\"" }
        let people = "\"people\":[\(whole(other)),\(whole(creator))]"
        #expect(lines[3].contains(people + ",\"spared\":[\(whole(creator))],\"counts\":true,\"event\":"))
        #expect(lines.dropLast().allSatisfy { !$0.contains("spared") })
        #expect(fault(lines) == nil)
        let hidden = try chained(lines.map { $0.replacing(",\"spared\":[\(whole(creator))]", with: "") })
        #expect(fault(hidden) == CharterLog.Fault(line: 4, reason: .content))
    }

    /// A log that ends too early is the log of an earlier time.
    @Test func anEarlierLogIsValid() throws {
        let lines = try log()
        for count in 1...lines.count { #expect(fault(Array(lines.prefix(count))) == nil) }
    }

    @Test func aChangedLineIsFound() throws {
        let lines = try log()
        for index in lines.indices {
            var changed = lines
            changed[index] = changed[index].replacing("1", with: "2", maxReplacements: 1)
            #expect(fault(changed)?.line == index + 1, "\(index)")
        }
        for index in lines.indices.dropLast() {
            var cut = lines
            cut.remove(at: index)
            #expect(fault(cut)?.line == index + 1, "\(index)")
            var swapped = lines
            swapped.swapAt(index, index + 1)
            #expect(fault(swapped)?.line == index + 1, "\(index)")
        }
    }

    /// Whoever forges the chain too still needs the authors' signatures, and may say nothing but what follows from them.
    @Test func aForgedChainDoesNotHelp() throws {
        let lines = try log()
        func forged(_ change: (inout [String]) -> Void) throws -> CharterLog.Fault? {
            var changed = lines
            change(&changed)
            return fault(try chained(changed))
        }
        let content = CharterLog.Fault(line: 5, reason: .content)
        #expect(try forged { $0[4] = $0[4].replacing("exclude", with: "readmit") } == content)
        #expect(try forged { $0[6] = $0[6].replacing("false", with: "true") }?.line == 7)
        #expect(try forged { $0[1] = $0[1].replacing("\\u212a", with: "\u{212A}") }?.line == 2)
        #expect(try forged { $0.append($0[6]) } == CharterLog.Fault(line: 8, reason: .content))
        #expect(try forged { $0.remove(at: 3) }?.reason == .content, "what an author had seen is missing")
        // The last digits of an event are those of its signature.
        let event = try #require(lines[4].range(of: "\",\"hash"))
        let digit = lines[4].index(before: event.lowerBound)
        let other = lines[4][digit] == "0" ? "1" : "0"
        #expect(
            try forged { $0[4].replaceSubrange(digit...digit, with: other) }
                == CharterLog.Fault(line: 5, reason: .signature)
        )
        #expect(try forged { $0[4] = $0[4].replacing("\"event\":\"", with: "\"event\":\"zz") }?.reason == .event)
        #expect(try forged { $0[4] = $0[4].replacing("\"event\"", with: "\"evens\"") }?.reason == .event)
    }

    @Test func somethingElseIsNoLog() throws {
        #expect(fault([]) == CharterLog.Fault(line: 1, reason: .empty))
        #expect(fault(["hello"]) == CharterLog.Fault(line: 1, reason: .form))
        let lines = try log()
        #expect(fault(try chained([lines[0].replacing("charter-1", with: "charter-2")]))?.reason == .form)
        #expect(fault([lines[0], String(lines[1].dropLast())]) == CharterLog.Fault(line: 2, reason: .line))
        #expect(fault([lines[0], lines[1] + "\r"]) == CharterLog.Fault(line: 2, reason: .line))
        // The lines of another charter.
        var other = try CharterWriter(people: 2)
        _ = other.create(title: "Other")
        let mixed = try chained([lines[0], CharterLog.lines(of: other.charter)[1]])
        #expect(fault(mixed) == CharterLog.Fault(line: 2, reason: .event))
    }
}
