import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

/// The pages of `protocol/` and the code agree.
@Suite struct SpecificationTests {
    private static func page(_ name: String) throws -> String {
        try String(contentsOf: VectorFiles.root.appending(path: "protocol/\(name)"), encoding: .utf8)
    }

    /// The rows of the tables under a heading, as cells without back-ticks.
    private static func rows(of page: String, under heading: String) throws -> [[String]] {
        let lines = try self.page(page).split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix(heading) }, "\(heading)")
        return lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
            .filter { $0.hasPrefix("|") && !$0.hasPrefix("|-") }
            .dropFirst()
            .map { row in
                row.split(separator: "|").map {
                    $0.replacingOccurrences(of: "`", with: "").trimmingCharacters(in: .whitespaces)
                }
            }
    }

    /// The constants of `Domain.swift`, read from its text, so that a new constant without a row fails too.
    private static func domains() throws -> [String: String] {
        let source = try String(
            contentsOf: VectorFiles.root.appending(path: "Sources/ParlanceWire/Domain.swift"),
            encoding: .utf8
        )
        var domains: [String: String] = [:]
        for match in source.matches(of: /static let (\w+): UInt8 = (0x[0-9A-Fa-f]{2})/) {
            domains[String(match.1)] = String(match.2)
        }
        return domains
    }

    @Test func everyDomainTagIsInTheTable() throws {
        let table = try Self.rows(of: "identity.md", under: "Domains")
        let told = Dictionary(uniqueKeysWithValues: table.map { ($0[1], $0[0]) })
        let used = try Self.domains()
        #expect(used.count >= 8)
        #expect(told == used)
        #expect(Set(used.values).count == used.count, "no tag has two uses")
    }

    /// The kinds of frames, from the .proto file.
    private static func frames() throws -> [String] {
        let proto = try page("parlance.proto")
        let frame = try #require(proto.range(of: "message Frame {"))
        let body = proto[frame.upperBound...].prefix { $0 != "}" }
        return body.matches(of: /^\s+([A-Z]\w+) \w+ = \d+;/.anchorsMatchLineEndings()).map { String($0.1) }
    }

    @Test func everyFrameIsDescribed() throws {
        let frames = try Self.frames()
        #expect(frames.count >= 12)
        let sync = try Self.page("sync.md")
        let contacts = try Self.page("contacts.md")
        let workspaces = try Self.page("workspaces.md")
        let couriers = try Self.page("couriers.md")
        let files = try Self.page("files.md")
        let charter = try Self.page("charter.md")
        for frame in frames {
            let heading = try Regex("(?m)^#+ .*\\b\(frame)\\b")
            let isDescribed = [sync, contacts, workspaces, couriers, files, charter].contains { $0.contains(heading) }
            #expect(isDescribed, "no section on \(frame)")
        }
        let listed = try Self.rows(of: "sync.md", under: "The frames").map { $0[1] }
        #expect(listed == frames, "sync.md lists the frames in the order of the .proto file")
    }

    /// Every test that the threat model names exists.
    @Test func everyTestOfTheThreatModelExists() throws {
        let page = try Self.page("threat-model.md")
        let names = Set(page.matches(of: /`([a-z]+[A-Z][A-Za-z]+)`/).map { String($0.1) })
        #expect(names.count > 40)
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var declared: Set<String> = []
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        )
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            declared.formUnion(text.matches(of: /func ([A-Za-z]+)\(/).map { String($0.1) })
        }
        #expect(names.subtracting(declared).sorted() == [])
    }

    @Test func everyByeReasonAndRefusalCodeIsDescribed() throws {
        let proto = try Self.page("parlance.proto")
        let pages = try Self.page("sync.md") + Self.page("contacts.md") + Self.page("link.md")
        for match in proto.matches(of: /(?:BYE_REASON|REFUSAL_CODE)_(\w+) = \d+;/) where match.1 != "UNSPECIFIED" {
            #expect(pages.contains("`\(match.1)`"), "\(match.0)")
        }
    }

    @Test func everyVoidReasonIsDescribed() throws {
        let events = try Self.page("events.md")
        let reasons: [Projector.VoidReason] = [
            .bodyTooLarge, .textTooLarge, .blankText, .malformedBody, .timeNotAfterPredecessor, .notMember, .noTarget,
            .notTheAuthor, .invalidChange,
        ]
        for reason in reasons { #expect(events.contains("`\(reason.rawValue)`"), "\(reason)") }
    }

    /// Every kind of event in the .proto file is in the table "Kinds" under its number.
    @Test func everyKindOfEventIsDescribed() throws {
        let proto = try Self.page("parlance.proto")
        let kinds = proto.matches(of: /\sKIND_(\w+) = (\d+);/).map { [String($0.2), String($0.1)] }.dropFirst()
        #expect(kinds.count >= 10)
        let listed = try Self.rows(of: "events.md", under: "Kinds").map { Array($0.prefix(2)) }
        #expect(listed == Array(kinds))
        for kind in kinds { #expect(EventKind(number: try #require(Int(kind[0]))) != .unknown(Int(kind[0]) ?? 0)) }
    }

    /// Links between the pages lead to existing files; headings are not checked.
    @Test func linksBetweenThePagesLeadSomewhere() throws {
        let folder = VectorFiles.root.appending(path: "protocol")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(pages.contains("README.md"))
        for name in pages.sorted() {
            #expect(pages.contains(name))
            for match in try Self.page(name).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                let target = folder.appending(path: String(match.1)).path
                #expect(FileManager.default.fileExists(atPath: target), "\(name) links to \(match.1)")
            }
        }
    }

    /// Every file of vectors is of a kind that some test runs.
    @Test func everyFileOfVectorsIsRun() throws {
        let known: Set = [
            "header", "header-refused", "body", "head-signature", "clock", "run", "watermark", "effective-time",
            "frame", "frame-refused", "frame-ignored", "stream", "peer-id", "direct-conversation", "certificate",
            "contact-answer", "safety-number", "identity-file", "group", "membership", "branch",
            "prekeys", "envelope", "taken", "picture", "parcel", "sealed-file", "sealed-file-shape", "addresses",
            "file-shape", "file", "chunk-set", "file-name", "folder", "packed-folder",
            "charter", "invitation-code",
        ]
        #expect(Set(try VectorFiles.kinds()) == known)
    }

    // Engines sign the bytes that the pages define.

    @Test func engineSignsTheAnswerAsThePageSays() throws {
        var bench = try EngineBench()
        let remote = try RemotePeer()
        bench.opened(1, with: remote)
        bench.received(remote.hello(), on: 1)
        bench.received(remote.request(), on: 1)
        _ = try bench.ask(.accept(who: remote.identity.grouped))
        let answer = try #require(
            bench.takeFrames(on: 1).compactMap { if case .contactAnswer(let answer) = $0 { answer } else { nil } }.first
        )
        let signed: [UInt8] =
            [0x08] + bench.identity.bytes + remote.identity.bytes + [1] + UInt64(bench.now.wall).bigEndianBytes
        #expect(Ed25519.verify([UInt8](answer.signature), of: signed, by: bench.identity.bytes))
        #expect(answer.time == UInt64(bench.now.wall))
    }

    @Test func engineSignsAWatermarkAsThePageSays() throws {
        var remote = try RemotePeer()
        var bench = try EngineBench(peers: [remote.record()])
        bench.open(1, with: remote)
        let event = remote.write("hello", to: bench.identity)
        bench.received(remote.events(event.header.conversation, [event]), on: 1)
        _ = bench.takeFrames(on: 1)
        _ = try bench.ask(.read(who: "Bob"))
        let frames = bench.takeFrames(on: 1)
        guard case .watermarks(let watermarks) = frames.first, let mark = watermarks.entries.first else {
            throw EngineBench.Unexpected(what: "no watermark went out")
        }
        var signed: [UInt8] = [0x07] + event.header.conversation.bytes + bench.identity.bytes
        signed += EngineBench.ownReplica.bytes + remote.identity.bytes + remote.replica.bytes
        signed += UInt64(1).bigEndianBytes + event.id.bytes + [2]
        #expect(Ed25519.verify([UInt8](mark.signature), of: signed, by: bench.identity.bytes))
        #expect(watermarks.entries.count == 1)
    }
}
