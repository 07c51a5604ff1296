import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Whom a text mentions: `@all` stands for everybody else in a group.
@Suite struct MentionTests {
    /// The names of those whom a text of Ada's mentions in the group of Ada, Bob and Cleo.
    private func mentioned(_ text: String, callingBob alias: String? = nil) throws -> [String] {
        let (world, group) = try GroupTests.world(3)
        if let alias { world.give(.setAlias(who: world.nodes[1].identity.text, alias: alias), to: 0) }
        world.run(for: 3_000)
        world.give(.send(who: "Bridge", text: text), to: 0)
        world.run(for: 5_000)
        let message = try #require(world.nodes[2].disk.history(of: group).last)
        #expect(message.text == text)
        return try #require(message.rich).mentions.map { peer in
            world.nodes.first { $0.identity == peer }?.name ?? "nobody"
        }
    }

    @Test func allMentionsEverybodyElse() throws {
        #expect(Set(try mentioned("@All: lunch!")) == ["Bob", "Cleo"])
    }

    @Test func whoIsMentionedTwiceIsListedOnce() throws {
        let names = try mentioned("@Cleo and @all")
        #expect(names == ["Cleo", "Bob"])
    }

    @Test func aLongerWordIsNotAll() throws {
        #expect(try mentioned("ask @allen, all of you").isEmpty)
    }

    @Test func aLongerNameOfAMemberComesFirst() throws {
        #expect(try mentioned("@all hands: lunch!", callingBob: "All Hands") == ["Bob"])
    }

    @Test func aMemberCalledAllDoesNotTakeTheMention() throws {
        let bob = PeerID(value: Bytes32(hashing: [1], domain: Domain.header))
        let names = [MentionScan.Name("All", of: bob), MentionScan.Name("all", of: nil)]
        #expect(MentionScan("@all: lunch!", names: names).mentions.map { $0.meant.contains(nil) } == [true])
    }

    /// A name from before the word was reserved: whoever has it is not meant alone.
    @Test func whoIsCalledAllDoesNotTakeTheMention() throws {
        let (bob, eve) = (try RemotePeer(), try RemotePeer(3, replica: 0x43))
        var bench = try EngineBench(name: "All", peers: [bob.record(name: "all"), eve.record(name: "Eve")])
        let (who, nonce) = ([bob.identity.text, eve.identity.text], [UInt8](repeating: 1, count: 16))
        let made = try bench.ask(.createGroup(title: "Crew", who: who, nonce: nonce)).get()
        guard case .group(let group) = made else { throw EngineBench.Unexpected(what: "no group") }
        _ = try bench.ask(.send(who: "Crew", text: "@all: lunch!")).get()
        let message = try #require(bench.disk.history(of: group.conversation).last)
        #expect(Set(message.rich?.mentions ?? []) == [bob.identity, eve.identity])
    }

    @Test func twoPeopleHaveNoAll() throws {
        let (world, _) = try GroupTests.world(2)
        let bob = world.nodes[1].identity
        world.give(.send(who: bob.text, text: "@all"), to: 0)
        world.run(for: 5_000)
        let direct = ConversationID(direct: world.nodes[0].identity, bob)
        #expect(world.nodes[1].disk.history(of: direct).map(\.rich?.mentions) == [[]])
    }

    private static let members = [
        "Ada", "Bob", "Bo", "Dan Müller-Öz", "小明", "דן", "Ёлка", "x.org", "Zoë", "Zoë Ångström", "Groß",
    ]

    private var scanned: [MentionScan.Name] {
        let names = Self.members.indices.map { index in
            let peer = PeerID(value: Bytes32(hashing: [UInt8(index)], domain: Domain.header))
            return MentionScan.Name(Self.members[index], of: peer)
        }
        return names + [MentionScan.Name("all", of: nil)]
    }

    /// The names that a text mentions, in their order.
    private func names(in text: String) -> [String] { MentionScan(text, names: scanned).mentions.map(\.typed) }

    /// What stands in the text where names are said to stand.
    private func places(in text: String) -> [String] {
        MentionScan(text, names: scanned).places(.max).map { String(decoding: Array(text.utf16)[$0], as: UTF16.self) }
    }

    @Test(
        arguments: [
            "info@bob.de", "foo@Bob", "bob@all.de", "Rechnungen an info@bob.de, danke", "https://x.org/@Bob/1",
            "http://ada@Bob/", "www.x.org/@Bob", "x.org:8080/@Bob", "(https://x.org/a/@Bob)", "https://x.org/?to=@all",
            "mailto:info@bob", "git@bob:src", "user:secret@Bob", "привет@Bob", "info2@Bob", "first.last@all",
            "first-last@all", "first_@Bob", "@Bobby", "@bob.de", "@bob@mastodon.social", "@nobody@Bob", "@all-hands",
            "lib/@Bob", "src/@Bob/index.ts", "import x from \"@Bob/core\"", "npm i @all/eslint", "x/@all",
            "C:\\@Bob\\x",
            "\\@Bob", "@Bob\\x", "mailto:@Bob", "(sip:@all)", "FILE:@Bob", "x.de?u=@all", "rsync -a x Bob:@all/",
            "info@@all",
            "x&@all", "d=@all", "b~@all", "a$@all", "`@Bob`", "see `git show @Bob`", "``@Bob``", "```\n@Bob\n```",
            "```sh\n\n@Bob `x\n```  \n", "```\r\n@Bob\r\n```", "@Bob2", "@Bob_2", "@Zoes", "@gros", "@grosss", "@דןי",
            "/home/@Bob", "~/@Bob",
            "../@Bob", "@ Bob", "@", "@@", "Bob@", "@Ada@bob.de",
            "> @Bob", ">@Bob, yes",
            "a\n > thanks @Bob\nb",
            ">> @Bob `x` @all", "@Bob:matrix.org", "@bob:m.x.org.", "(@Bob:x.org:8448)", "@Bob:my-host.de/x",
            "ftp:@Bob",
            "http:@Bob", "ldap:@Bob", "skype:@Bob", "(callto:@Bob", "FaceTime:@Bob", "ghcr.io/x:@Bob",
            "docker pull ghcr.io/x:@Bob please", "href=\"@Bob\"", "<a href='@Bob'>", "to=\"@all\"",
            "<code>@Bob</code>", "<CODE>x\n@Bob</Code>", "<pre class=\"x\">\n<code>@Bob</code>\n@all</pre>",
            "<blockquote>@Bob</blockquote>", "<code>a</code><code>@Bob</code>",
        ]
    )
    func whatIsNoMentionMentionsNobody(_ text: String) {
        #expect(names(in: text).isEmpty && places(in: text).isEmpty)
    }

    @Test(
        arguments: [
            ("@Bob", ["Bob"]), ("@Bob's plan", ["Bob"]), ("(@Bob)", ["Bob"]), ("@Bob, please", ["Bob"]),
            ("thanks @Bob.", ["Bob"]), ("@Bob...", ["Bob"]), ("请@Bob看", ["Bob"]), ("问@小明你好", ["小明"]),
            ("@Bob님", ["Bob"]),
            ("@小明@Bob", ["小明", "Bob"]), ("שלום @דן, מה נשמע", ["דן"]), ("ל@דן", ["דן"]), ("@Ёлка!", ["Ёлка"]),
            ("@Ada/@Bob/@all", ["Ada", "Bob", "all"]), ("@Ada@Bob", ["Ada", "Bob"]), ("cc:@Bob", ["Bob"]),
            ("- @Bob\n-@Ada", ["Bob", "Ada"]), ("**@Bob**", ["Bob"]), ("_@Bob_", ["Bob"]), ("\"@Bob\"", ["Bob"]),
            ("„@Bob“", ["Bob"]), ("@dan müller-öz: ja", ["dan müller-öz"]), ("@Bo b", ["Bo"]), ("@BOB!", ["BOB"]),
            ("https://x.org/a @Bob", ["Bob"]), ("看https://x.org/a，@Bob", ["Bob"]), ("@x.org", ["x.org"]),
            ("info@bob.de @Bob", ["Bob"]), ("@Bob - and @all", ["Bob", "all"]), ("@Bob:@Ada", ["Bob", "Ada"]),
            ("@Bob\n@Ada", ["Bob", "Ada"]), ("Hi!@Bob", ["Bob"]), ("@Ada&@Bob", ["Ada", "Bob"]),
            ("profile:@Bob", ["Bob"]), ("Hi:@Bob", ["Bob"]), ("news:@Bob", ["Bob"]), ("ftp: @Bob", ["Bob"]),
            ("@Bob: look", ["Bob"]), ("@Bob:look", ["Bob"]), ("@Bob:12.30 Uhr", ["Bob"]), ("@Bob:z.B. das", ["Bob"]),
            ("@Bob:x.", ["Bob"]), ("@Bob:..", ["Bob"]), ("@Bob:", ["Bob"]), ("*@Bob*", ["Bob"]), ("'@Bob'", ["Bob"]),
            ("= \"@Bob\"", ["Bob"]), ("x = \"@Bob\"", ["Bob"]), ("=\"@Bob\"", ["Bob"]), ("x=\"a\" @Bob", ["Bob"]),
            ("> x\n@Bob", ["Bob"]), ("-> @Bob", ["Bob"]), ("a > @Bob", ["Bob"]), ("<@Bob>", ["Bob"]),
            ("<b>@Bob</b>", ["Bob"]), ("<code> @Bob", ["Bob"]), ("</code> @Bob <code>", ["Bob"]),
            ("<code>x</code>@Bob", ["Bob"]), ("<codec>@Bob</codec>", ["Bob"]), ("<code @Bob </code>", ["Bob"]),
            ("it's ` @Bob", ["Bob"]), ("`a\n@Bob`", ["Bob"]), ("`x` @Bob", ["Bob"]), ("`x`@Bob", ["Bob"]),
            ("``@Bob", ["Bob"]),
            ("```\n@Bob", ["Bob"]), ("```\nx\n```\n@Bob", ["Bob"]), ("`x` @Ada `y` @Bob", ["Ada", "Bob"]),
            ("lib/x @Bob", ["Bob"]), ("@Bob.看", ["Bob"]),
            ("@Zoe, @ZOË", ["Zoe", "ZOË"]), ("@zoe angstrom: hi", ["zoe angstrom"]), ("@Елка", ["Елка"]),
            ("@gross.", ["gross"]), ("@Dan Muller-Oz", ["Dan Muller-Oz"]), ("@Zoe\u{308}", ["Zoe\u{308}"]),
        ]
    )
    func aMentionStandsAmongWordsAndSigns(_ text: String, _ expected: [String]) {
        #expect(names(in: text) == expected)
        #expect(places(in: text) == expected.map { "@\($0)" })
    }

    /// A browser counts UTF-16 units: of a key two, of a line end on Windows two, of most letters one.
    @Test func placesAreInUnitsOfUTF16() {
        let scan = MentionScan("\u{1f511}\r\n@Bob, @Zoe\u{308}@Bob", names: scanned)
        #expect(scan.places(9) == [4..<8, 10..<15, 15..<19])
        #expect(scan.places(1) == [4..<8])
    }

    /// The page lists the schemes, and a scheme that is not in the list is a word.
    @Test func theSchemesAreThoseOfThePage() throws {
        let page = try String(
            contentsOf: VectorFiles.root.appending(path: "protocol/events.md"),
            encoding: .utf8
        )
        let list = try #require(page.split(separator: "The schemes are").last?.prefix { $0 != ":" && $0 != "." })
        let schemes = list.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        #expect(!schemes.isEmpty && Set(schemes).count == schemes.count)
        #expect(Set(schemes) == MentionScan.schemes)
        for scheme in schemes { #expect(names(in: "\(scheme):@Bob").isEmpty, "\(scheme)") }
    }

    /// As where a name is given to a command: who is called exactly so comes before who is called so without accents.
    @Test func theNameThatIsWrittenSoComesFirst() throws {
        let peers = [UInt8](0...3).map { PeerID(value: Bytes32(hashing: [$0], domain: Domain.header)) }
        let names = zip(["Zoë", "Zoe", "Zoé", "Zoé Ray"], peers).map { MentionScan.Name($0, of: $1) }
        func meant(_ text: String) -> [[PeerID?]] { MentionScan(text, names: names).mentions.map(\.meant) }
        #expect(meant("@zoe") == [[peers[1]]])
        #expect(meant("@ZOË, @zoe ray") == [[peers[0]], [peers[3]]])
        #expect(meant("@Zoê") == [[peers[0], peers[1], peers[2]]])
    }

    @Test func aLongTextOfManySignsIsReadInOnePass() {
        let text = String(repeating: "@Ada", count: Limits.textBytes / 4)
        #expect(names(in: text).count == Limits.textBytes / 4)
        #expect(names(in: text + "x").isEmpty)
        #expect(names(in: String(repeating: "```\n`", count: Limits.textBytes / 5) + "\n@Ada") == ["Ada"])
        for piece in ["<code>", "<code ", "</code>", "<", ">", "\n>", "@Ada:x.", "x=\"", "@Ada:x.org", "ftp:"] {
            let pieces = String(repeating: piece, count: Limits.textBytes / piece.utf8.count)
            #expect(names(in: pieces + "\n@Bob").last == "Bob")
        }
        // A name without upper and lower case: a new chain could begin at each sign.
        let name = MentionScan.Name("\u{5c0f}\u{660e}", of: PeerID(value: Bytes32(hashing: [9], domain: Domain.header)))
        let chain = String(repeating: "@\u{5c0f}\u{660e}", count: Limits.textBytes / 8)
        #expect(MentionScan(chain, names: [name]).mentions.count == Limits.textBytes / 8)
        #expect(MentionScan(chain + "@x", names: [name]).mentions.isEmpty)
    }

    @Test func anAddressMentionsNobodyInAGroup() throws {
        #expect(try mentioned("mail bob@all.de or info@bob").isEmpty)
    }
}
