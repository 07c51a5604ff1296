import ParlanceErrorCode
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Words that the program uses itself, in what it shows or for what is typed, are nobody's name.
@Suite struct ReservedNameTests {
    private static let reserved = [
        "You", "you", "YOU", "Du", "dich", "me", "all", "Last", "last:", "last:Bob", "LAST: x", "-", " Y o u ",
        "Y\u{43E}u",  // Cyrillic o
        "\u{FF39}\u{FF4F}\u{FF55}",  // full-width
        "@Bob", "@", "\u{FF20}Bob", "A1l", "al\u{406}", "You~abcd", "Yo\u{200D}u", "\u{2013}",
    ]
    private static let names = [
        "Young", "Allen", "Mel", "Dudley", "Lasty", "Last-Minute", "A-B", "Yo", "Al", "Zo\u{eb}",
    ]

    private let bob: RemotePeer

    init() throws { bob = try RemotePeer(2) }

    private func refusal(_ command: Command, in bench: inout EngineBench) throws -> Refusal? {
        if case .failure(let refusal) = try bench.ask(command) { refusal } else { nil }
    }

    private func creation(_ title: String, force: Bool = true) -> Command {
        .createGroup(title: title, who: ["Bob"], nonce: [UInt8](repeating: 1, count: 16), force: force)
    }

    @Test(arguments: reserved) func nobodyTakesOne(_ word: String) throws {
        var bench = try EngineBench(peers: [bob.record(name: "Bob")])
        #expect(try refusal(.setName(word), in: &bench)?.code == .invalidName)
        #expect(try refusal(.setAlias(who: "Bob", alias: word), in: &bench)?.code == .invalidName)
        #expect(try refusal(creation(word), in: &bench)?.code == .invalidName)
        _ = try bench.ask(creation("Crew")).get()
        let renaming = Command.changeGroup(who: "Crew", .rename(word, force: true))
        #expect(try refusal(renaming, in: &bench)?.code == .invalidName)
        // A topic is no name.
        #expect(try refusal(.changeGroup(who: "Crew", .topic(word)), in: &bench) == nil)
        #expect(throws: PeopleList.Fault.self) { try PeopleList(csv: "\"\(word)\",\(bob.identity.text)") }
    }

    /// An alias that is the beginning of somebody's ID would stand in the way of that ID.
    @Test func noAliasIsTheIDOfSomebodyElse() throws {
        let eve = try RemotePeer(3)
        var bench = try EngineBench(peers: [bob.record(name: "Bob"), eve.record(name: "Eve")])
        let own = bench.engine.identity
        let ids = [eve.identity.prefix, eve.identity.prefix.uppercased(), eve.identity.text, eve.identity.grouped]
        for alias in ids + [own.prefix, own.text] {
            let refused = try refusal(.setAlias(who: "Bob", alias: alias), in: &bench)
            #expect(refused == .text(.aliasOfID(alias)), "\(alias)")
        }
        for alias in [String(eve.identity.prefix.dropLast()), bob.identity.prefix, "zzzzzzzz"] {
            let who = bob.identity.text
            #expect(try refusal(.setAlias(who: who, alias: alias), in: &bench) == nil, "\(alias)")
        }
    }

    /// Nobody sees spaces at the ends of a name, so nobody types them.
    @Test func spacesAtTheEndsDoNotCount() throws {
        var bench = try EngineBench(peers: [bob.record(name: " Bob\u{3000}")])
        _ = try bench.ask(.setName(" Ada ")).get()
        #expect(bench.engine.presence.profile.name == "Ada")
        _ = try bench.ask(creation(" Crew ")).get()
        #expect(try refusal(.changeGroup(who: "Crew", .topic("x")), in: &bench) == nil)
        _ = try bench.ask(.find(who: "bob")).get()
        bench.opened(1, with: bob)
        bench.received(bob.hello("Zo\u{eb} "), on: 1)
        #expect(bench.engine.contacts[bob.identity]?.announcedName == "Zo\u{eb}")
        _ = try bench.ask(.setAlias(who: "Bob", alias: " Bobby ")).get()
        #expect(try bench.view(of: bob.identity).displayName == "Bobby")
        _ = try bench.ask(.find(who: "Bobby")).get()
    }

    @Test(arguments: names) func otherNamesAreFree(_ name: String) throws {
        var bench = try EngineBench(peers: [bob.record(name: "Bob")])
        #expect(try refusal(.setName(name), in: &bench) == nil)
        #expect(try refusal(creation(name + " crew"), in: &bench) == nil)
        #expect(try refusal(.setAlias(who: "Bob", alias: name), in: &bench) == nil)
        #expect(try bench.view(of: bob.identity).displayName == name)
    }

    /// A peer with an older program, or a hostile one, announces what it likes.
    @Test(arguments: reserved) func whoAnnouncesOneIsShownWithItsID(_ word: String) throws {
        let mark = "~\(bob.identity.text.prefix(4))"
        var stranger = try EngineBench()
        stranger.opened(1, with: bob)
        stranger.received(bob.hello(word), on: 1)
        var old = bob.record(name: word)
        var accepted = try EngineBench(peers: [old])
        old.alias = word
        let named = try EngineBench(peers: [old])
        for var bench in [stranger, accepted, named] {
            let shown = try bench.view(of: bob.identity).displayName
            #expect(shown.hasSuffix(mark))
            guard case .success(.peer(let found)) = try bench.ask(.find(who: shown)) else {
                throw EngineBench.Unexpected(what: "nobody")
            }
            #expect(found.record.id == bob.identity)
        }
        // The word alone means nobody.
        let code = try refusal(.find(who: word), in: &accepted)?.code
        #expect(code == .unknownPeer)
    }

    @Test func whoTakesAnotherNameIsShownByIt() throws {
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello("You"), on: 1)
        bench.received(.heartbeat(heartbeat("Bob")), on: 1)
        #expect(try bench.view(of: bob.identity).displayName == "Bob")
    }

    private func heartbeat(_ name: String) -> WireHeartbeat {
        var heartbeat = WireHeartbeat()
        heartbeat.name = name
        return heartbeat
    }
}
