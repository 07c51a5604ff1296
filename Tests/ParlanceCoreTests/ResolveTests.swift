import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceWire
import Testing

/// Which peer a typed name means.
@Suite struct ResolveTests {
    private let ada: EngineBench
    private let bob: RemotePeer
    private let eve: RemotePeer

    init() throws {
        bob = try RemotePeer(2)
        eve = try RemotePeer(3, replica: 0x43)
        ada = try EngineBench()
    }

    private func bench(_ peers: PeerRecord...) throws -> EngineBench { try EngineBench(peers: peers) }

    /// The peer that is found, or the error.
    private func find(_ who: String, in bench: EngineBench) throws -> (peer: PeerID?, error: Refusal?) {
        var bench = bench
        switch try bench.ask(.find(who: who)) {
        case .success(.peer(let view)): return (view.record.id, nil)
        case .success: throw EngineBench.Unexpected(what: "another answer")
        case .failure(let error): return (nil, error)
        }
    }

    @Test func aNameIsFoundInEitherCase() throws {
        let bench = try bench(bob.record(name: "Bob"))
        for typed in ["Bob", "bob", "BOB", "@bOB"] { #expect(try find(typed, in: bench).peer == bob.identity) }
    }

    /// Nobody tells "Hal" from "hal" by ear: the one whose letters were typed is not meant more than the other.
    @Test func twoWhoseNamesDifferByCaseAreListed() throws {
        let bench = try bench(bob.record(name: "Hal"), eve.record(name: "hal"))
        let both = [bob.identity, eve.identity].sorted().map { Refusal.Candidate.peer($0) }
        for typed in ["Hal", "hal", "HAL", "@hal"] {
            let error = try find(typed, in: bench).error
            #expect(error?.code == .ambiguousPeer && error?.candidates == both, "\(typed)")
        }
        #expect(try find("Hal~\(bob.identity.text.prefix(4))", in: bench).peer == bob.identity)
        #expect(try find(eve.identity.prefix, in: bench).peer == eve.identity)
    }

    /// Nor are two meant apart whose names have other bytes for the same letters.
    @Test func twoWhoseNamesAreComposedDifferentlyAreListed() throws {
        let bench = try bench(bob.record(name: "Zo\u{eb}"), eve.record(name: "Zoe\u{308}"))
        for typed in ["Zo\u{eb}", "Zoe\u{308}", "ZO\u{cb}"] {
            #expect(try find(typed, in: bench).error?.candidates.count == 2)
        }
    }

    /// A user who gives somebody the name of somebody else has to say which one is meant.
    @Test func anAliasThatIsTheNameOfAnotherIsAmbiguous() throws {
        var named = bob.record(name: "Robert")
        for alias in ["hal", "Hal"] {
            named.alias = alias
            let bench = try bench(named, eve.record(name: "Hal"))
            #expect(try find("hal", in: bench).error?.candidates.count == 2)
        }
    }

    /// Of two groups neither comes first, in whatever letters.
    @Test func twoGroupsWhoseTitlesDifferByCaseAreListed() throws {
        var bench = try bench(bob.record(name: "hal"), eve.record(name: "Eve"))
        for (number, title) in [(UInt8(2), "Lunch"), (3, "lunch")] {
            let nonce = [UInt8](repeating: number, count: 16)
            _ = try bench.ask(.createGroup(title: title, who: ["Eve"], nonce: nonce, force: true)).get()
        }
        for typed in ["Lunch", "lunch", "LUNCH"] {
            guard case .failure(let refusal) = try bench.ask(.findConversation(who: typed)) else {
                throw EngineBench.Unexpected(what: "a group")
            }
            #expect(refusal.code == .ambiguousPeer && refusal.candidates.count == 2)
        }
    }

    @Test func anAliasIsMetByTheBeginningOfAnIDInEitherCase() throws {
        var named = eve.record(name: "Eve")
        named.alias = bob.identity.prefix.uppercased()
        let error = try find(bob.identity.prefix.lowercased(), in: bench(bob.record(name: "Bob"), named)).error
        #expect(error?.candidates.count == 2)
    }

    /// A group can have any title, also an ID and the name with which somebody is shown.
    @Test func nobodyTakesMessagesByATitleThatIsSomebodysID() throws {
        var bench = try bench(bob.record(name: "Bob"), eve.record(name: "Bob"))
        let titles = ["Bob~\(eve.identity.text.prefix(4))", eve.identity.prefix]
        for (number, title) in titles.enumerated() {
            let nonce = [UInt8](repeating: UInt8(number + 1), count: 16)
            let who = [bob.identity.text]
            _ = try bench.ask(.createGroup(title: title, who: who, nonce: nonce, force: true)).get()
            guard case .failure(let refusal) = try bench.ask(.findConversation(who: title)) else {
                throw EngineBench.Unexpected(what: "a conversation")
            }
            #expect(refusal.code == .ambiguousPeer && refusal.candidates.count == 2, "\(title)")
        }
        // A whole ID always means the person, so that no title keeps anybody from writing to somebody.
        let whole = eve.identity.grouped
        let nonce = [UInt8](repeating: 9, count: 16)
        _ = try bench.ask(.createGroup(title: whole, who: [bob.identity.text], nonce: nonce, force: true)).get()
        guard case .success(.peer(let found)) = try bench.ask(.findConversation(who: whole)) else {
            throw EngineBench.Unexpected(what: "no person")
        }
        #expect(found.record.id == eve.identity)
    }

    @Test func aMentionOfOneOfTwoIsRefused() throws {
        var bench = try bench(bob.record(name: "Hal"), eve.record(name: "hal"))
        let who = [bob.identity.text, eve.identity.text]
        _ = try bench.ask(.createGroup(title: "Crew", who: who, nonce: [UInt8](repeating: 1, count: 16))).get()
        guard case .failure(let refusal) = try bench.ask(.send(who: "Crew", text: "@hal: lunch?")) else {
            throw EngineBench.Unexpected(what: "a message")
        }
        #expect(refusal.code == .ambiguousPeer && refusal.candidates.count == 2)
    }

    /// As in search: people type the letters that they have.
    @Test(arguments: [
        ("Zo\u{eb} \u{c5}ngstr\u{f6}m", "Zoe Angstrom"), ("Zo\u{eb} \u{c5}ngstr\u{f6}m", "ZOE \u{c5}NGSTROM"),
        ("Zoe\u{308}", "zo\u{eb}"), ("Zoe", "Zo\u{eb}"), ("Stra\u{df}er", "Strasser"), ("\u{141}ukasz", "lukasz"),
        ("\u{41f}\u{451}\u{442}\u{440}", "\u{43f}\u{435}\u{442}\u{440}"), ("B\u{f6}b~x", "bob~X"),
    ])
    func aNameIsFoundWithoutItsAccents(_ name: String, _ typed: String) throws {
        #expect(try find(typed, in: bench(bob.record(name: name))).peer == bob.identity)
        #expect(try find("@" + typed, in: bench(bob.record(name: name))).peer == bob.identity)
    }

    @Test func theCloserMatchComesFirst() throws {
        let bench = try bench(bob.record(name: "Zo\u{eb}"), eve.record(name: "zoe"))
        #expect(try find("Zoe", in: bench).peer == eve.identity)
        #expect(try find("zo\u{eb}", in: bench).peer == bob.identity)
        #expect(try find("ZO\u{c9}", in: bench).error?.code == .ambiguousPeer)
    }

    /// A stranger cannot get messages by leaving the accents of somebody's name out.
    @Test func aStrangerWithoutTheAccentsOfAnAcceptedPersonIsNotMeantAlone() throws {
        var bench = try bench(bob.record(name: "Zo\u{eb}"))
        bench.opened(1, with: eve)
        bench.received(eve.hello("Zoe"), on: 1)
        #expect(try find("Zoe", in: bench).error?.candidates.count == 2)
        #expect(try find("zoe", in: bench).error?.candidates.count == 2)
        #expect(try find("Zo\u{eb}", in: bench).peer == bob.identity)
        #expect(try find(eve.identity.prefix, in: bench).peer == eve.identity)
    }

    @Test func onesOwnNameWithoutItsAccentsIsOnesOwn() throws {
        #expect(try find("\u{c4}d\u{e1}", in: ada).error?.code == .ownIdentity)
    }

    @Test func aTitleIsFoundWithoutItsAccentsAndAfterWhoIsCalledSo() throws {
        var bench = try bench(bob.record(name: "Bob"), eve.record(name: "K\u{fc}che"))
        let made = try bench.ask(
            .createGroup(title: "B\u{fc}ro", who: ["Bob"], nonce: [UInt8](repeating: 1, count: 16))
        )
        guard case .success(.group(let office)) = made else { throw EngineBench.Unexpected(what: "no group") }
        _ = try bench.ask(.createGroup(title: "Kuche", who: ["Bob"], nonce: [UInt8](repeating: 2, count: 16)))
        func place(_ who: String) throws -> ConversationID? {
            switch try bench.ask(.findConversation(who: who)) {
            case .success(.group(let view)): view.conversation
            case .success(.peer(let view)): view.conversation
            default: nil
            }
        }
        #expect(try place("buro") == office.conversation)
        // The group is called exactly so, and an accepted person without the accent: a title must not take messages away.
        guard case .failure(let refusal) = try bench.ask(.findConversation(who: "Kuche")) else {
            throw EngineBench.Unexpected(what: "a place")
        }
        #expect(refusal.code == .ambiguousPeer)
        #expect(try place("k\u{fc}che") == ConversationID(direct: bench.identity, eve.identity))
    }

    @Test func twoOfTheSameNameAreAnErrorThatListsThem() throws {
        let bench = try bench(bob.record(name: "Bob"), eve.record(name: "Bob"))
        let error = try #require(try find("Bob", in: bench).error)
        #expect(error.code == .ambiguousPeer)
        #expect(error.candidates == [bob.identity, eve.identity].sorted().map { .peer($0) })
        #expect(try find(bob.identity.prefix, in: bench).peer == bob.identity)
    }

    @Test func anAliasIsFoundAndTheNameStaysGood() throws {
        var record = bob.record(name: "Bob")
        record.alias = "boss"
        let bench = try bench(record)
        #expect(try find("boss", in: bench).peer == bob.identity)
        #expect(try find("Bob", in: bench).peer == bob.identity)
    }

    @Test func aBeginningOfEightCharactersIsEnough() throws {
        let bench = try bench(bob.record(name: "Bob"))
        let whole = bob.identity.grouped.filter { $0 != " " }
        #expect(try find(String(whole.prefix(8)), in: bench).peer == bob.identity)
        #expect(try find(whole.uppercased(), in: bench).peer == bob.identity)
        #expect(try find(bob.identity.grouped, in: bench).peer == bob.identity)
        #expect(try find(String(whole.prefix(7)), in: bench).error?.code == .unknownPeer)
        #expect(try find(eve.identity.grouped, in: bench).error?.code == .unknownPeer)
    }

    /// A name may be typed as it is shown; the mark means only a verified person.
    @Test func aNameAsItIsShownIsUnderstood() throws {
        let bench = try bench(bob.record(name: "Bob"))
        #expect(try find("@Bob", in: bench).peer == bob.identity)
        #expect(try find("@bob", in: bench).peer == bob.identity)
        for prefix in ["", "@"] {
            let error = try find("\(prefix)Bob \u{2713}", in: bench).error
            #expect(error == .naming(.unverified("Bob")) && error?.code == .unknownPeer)
        }
        var verified = bob.record(name: "Bob")
        verified.trust = .verified
        #expect(try find("Bob \u{2713}", in: self.bench(verified)).peer == bob.identity)
        #expect(try find("@Bob \u{2713}", in: self.bench(verified)).peer == bob.identity)
        #expect(try find("@Bobby", in: bench).error?.code == .unknownPeer)
    }

    @Test func oneselfIsNobodyElse() throws {
        for who in [ada.identity.grouped, ada.identity.prefix, "Ada", "ada"] {
            #expect(try find(who, in: ada).error?.code == .ownIdentity)
        }
        #expect(try find("nobody", in: ada).error?.code == .unknownPeer)
        #expect(try find("", in: ada).error?.code == .unknownPeer)
    }

    @Test func onesOwnNameNeverMeansAStranger() throws {
        var bench = try bench()
        bench.opened(1, with: eve)
        bench.received(eve.hello("Ada"), on: 1)
        let error = try #require(try find("ada", in: bench).error)
        #expect(error.code == .ambiguousPeer && error.candidates == [.peer(eve.identity)])
        #expect(error == .naming(.sharedName("ada", [.peer(eve.identity)])))
        #expect(try find(eve.identity.prefix, in: bench).peer == eve.identity)
        // An accepted peer may have the local name.
        let accepted = try self.bench(bob.record(name: "Ada"))
        #expect(try find("Ada", in: accepted).peer == bob.identity)
    }

    @Test func aStrangersNameCannotSteerAScreen() throws {
        #expect(try find("a\u{1b}[2Jb\u{202e}", in: ada).error == .naming(.unknownPeer("a[2Jb")))
    }

    @Test func aNewcomerWithAKnownNameGetsASuffix() throws {
        var bench = try bench(bob.record(name: "Bob"))
        bench.opened(1, with: eve)
        bench.received(eve.hello("bob"), on: 1)
        let shown = "bob~\(eve.identity.text.prefix(4))"
        #expect(try bench.view(of: eve.identity).displayName == shown)
        #expect(try bench.view(of: bob.identity).displayName == "Bob")
        #expect(try find(shown, in: bench).peer == eve.identity)
    }

    @Test func twoAcceptedUnderOneNameAreShownApart() throws {
        var bob = bob.record(name: "Bob")
        var both = try bench(bob, eve.record(name: "bob"))
        let mark = "bob~\(eve.identity.text.prefix(4))"
        #expect(try both.view(of: bob.id).displayName == "Bob~\(bob.id.text.prefix(4))")
        #expect(try both.view(of: eve.identity).displayName == mark)
        #expect(try find(mark, in: both).peer == eve.identity)
        bob.alias = "Bob"
        var named = try bench(bob, eve.record(name: "bob"))
        #expect(try named.view(of: bob.id).displayName == "Bob")
        #expect(try named.view(of: eve.identity).displayName == mark)
    }

    /// A stranger's name that looks like that of an accepted peer is shown with the beginning of the stranger's ID.
    @Test(arguments: [
        "Bob ", "B\u{200d}ob", "Bob\u{a0}", "Bob\u{3164}", "Bob\u{2800}", "Bob\u{2713}", "BOB \u{2714}\u{fe0f}",
        "Bob~xs4z",
    ])
    func norDoesOneThatLooksLikeIt(_ name: String) throws {
        var bench = try bench(bob.record(name: "Bob"))
        bench.opened(1, with: eve)
        bench.received(eve.hello(name), on: 1)
        #expect(try bench.view(of: eve.identity).displayName.hasSuffix("~\(eve.identity.text.prefix(4))"))
        #expect(try bench.view(of: bob.identity).displayName == "Bob")
    }

    @Test func andBlocksNobody() throws {
        var bench = try bench(bob.record(name: "Bob"))
        bench.opened(1, with: eve)
        bench.received(eve.hello("Bob"), on: 1)
        #expect(try find("Bob", in: bench).peer == bob.identity, "the one who was accepted under that name is meant")
    }

    @Test func anAcceptedPeerKeepsItsPinnedName() throws {
        var bench = try bench(bob.record(name: "Bob"))
        bench.opened(1, with: bob)
        bench.received(bob.hello("Robert"), on: 1)
        #expect(try bench.view(of: bob.identity).displayName == "Bob")
        #expect(try find("Bob", in: bench).peer == bob.identity)
        #expect(try find("Robert", in: bench).error?.code == .unknownPeer, "until somebody gives that name here")
    }

    @Test func anAliasThatSomebodyGoesByIsRefused() throws {
        var bench = try bench(bob.record(name: "Bob"), eve.record(name: "Eve"))
        guard case .failure(let error) = try bench.ask(.setAlias(who: "Eve", alias: "BOB")) else {
            throw EngineBench.Unexpected(what: "the alias was taken")
        }
        #expect(error.code == .invalidName)
        #expect(try bench.view(of: eve.identity).record.alias == nil)
    }
}
