import ParlanceControl
import ParlanceTexts
import ParlanceWords
import Testing

/// What is said to somebody who waits to be let into a workspace.
@Suite struct WorkspaceTextTests {
    private static let bob = Person(id: "b", displayName: "Bob")

    /// A workspace in which the user waits for the admin Bob.
    private func ship(_ invitation: CharterInfo.OwnInvitation?, isBobHere: Bool = false) -> WorkspaceInfo {
        var ship = WorkspaceInfo(
            name: "Ship",
            code: "Ship aaaa",
            number: 1,
            connected: isBobHere ? [Self.bob] : [],
            removed: []
        )
        ship.charter = CharterInfo(
            id: "charter",
            title: "Ship",
            admins: [Self.bob],
            admission: .approve,
            isMember: false,
            isAdmin: false,
            ownInvitation: invitation
        )
        return ship
    }

    private func lines(_ workspace: WorkspaceInfo) -> String {
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let joining = WorkspaceText.Joining(byPassphrase: false, hasName: true, chosenName: nil)
        let shown = WorkspaceText.lines(about: workspace, clock) + WorkspaceText.joined(workspace, joining)
        return shown.map(\.english).joined(separator: "\n")
    }

    /// A valid invitation waits for an admin too, but not for an admin's yes.
    @Test func aValidInvitationIsToldFromOneThatIsUsedUp() {
        let valid = lines(ship(.admits))
        #expect(valid.contains("No admin is connected: you are let in as soon as one is."))
        #expect(!valid.contains("dmin has to let you in") && valid.contains("you are not a member yet"))
        #expect(lines(ship(.admits, isBobHere: true)).contains("an admin is connected: you are let in soon."))
        let ends: [(CharterInfo.OwnInvitation, String)] = [
            (.usedUp, "Your invitation is used up"), (.expired, "Your invitation has expired."),
            (.admitted, "Your invitation let you in before, and does not do so again."),
            (.exclusion, "somebody was excluded after it was made."), (.newKey, "another key for a day."),
            (.unknown, "The members know of no such invitation"),
        ]
        for (end, sentence) in ends {
            let ended = lines(ship(end))
            #expect(ended.contains(sentence) && ended.contains("An admin has to let you in."), "\(ended)")
        }
        #expect(!lines(ship(nil)).contains("invitation"))
    }

    /// Without a network only those on this computer are here.
    @Test func withoutANetworkNobodyIsHere() {
        var ship = ship(nil, isBobHere: true)
        ship.members = [Self.bob, Person(id: "c", displayName: "Cleo")]
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let here = WorkspaceText.lines(about: ship, clock).map(\.english)
        #expect(here.prefix(2) == ["here: Bob", "away: Cleo"])
        let problem = NodeStatus.Problem(code: "network", message: "The cable is out.", advice: "Plug it in.")
        let within = WorkspaceText.lines(about: ship, clock, offline: problem).map(\.english)
        #expect(
            within.prefix(3) == [
                "here: Bob", "nobody else can be reached now: The cable is out", "the other members: Cleo",
            ]
        )
        ship.connected = []
        let cutOff = WorkspaceText.lines(about: ship, clock, offline: problem).map(\.english)
        #expect(cutOff.prefix(2) == ["nobody can be reached now: The cable is out", "the other members: Bob and Cleo"])
        #expect(!cutOff.contains { $0.hasPrefix("here: ") || $0.hasPrefix("away: ") })
    }

    @Test func theLogNamesEverybodyInASentence() {
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let people = ["Cleo", "Dan", "Eva", "Fay", "Gus", "Hal"].map { Person(id: $0, displayName: $0) }
        let entry = WorkspaceLogEntry(
            time: ControlTime(milliseconds: 0),
            author: Self.bob,
            action: .exclude,
            people: people,
            counts: true
        )
        let line = WorkspaceLogText.line(entry, clock).english
        #expect(line.hasSuffix("Bob excluded Cleo, Dan, Eva, Fay, Gus and Hal"), "\(line)")
    }

    /// There is one word for it, with admins and without.
    @Test func whoIsExcludedIsCalledThat() {
        var ship = ship(nil)
        ship.removed = [Self.bob]
        #expect(lines(ship).contains("excluded: Bob"))
        ship.charter = nil
        #expect(lines(ship).contains("excluded: Bob"))
    }

    /// Nobody is told in one answer that members are here, and that none of them talks to this node.
    @Test func whoIsExcludedAndStillConnectedIsToldBoth() {
        for isBobHere in [true, false] {
            var ship = ship(nil, isBobHere: isBobHere)
            ship.charter?.excludedBy = Self.bob
            let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
            let shown = WorkspaceText.lines(about: ship, clock).map(\.english).joined(separator: "\n")
            #expect(shown.contains("here: Bob") == isBobHere)
            #expect(shown.contains("members do not talk to this node any more") != isBobHere, "\(shown)")
            #expect(shown.contains("members who are still connected will disconnect") == isBobHere, "\(shown)")
        }
    }

    /// What `workspace show` lists are lines of one kind, and none is a sentence with a period.
    @Test func theListHasNoSentences() {
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let standings: [CharterInfo.OwnInvitation?] = [
            .admits, .exclusion, .newKey, .usedUp, .admitted, .expired, .unknown, nil,
        ]
        for standing in standings {
            for isBobHere in [false, true] {
                var ship = ship(standing, isBobHere: isBobHere)
                ship.met = [true, false].map { MetCharterInfo(charter: "other", person: Self.bob, offered: $0) }
                let listed = WorkspaceText.lines(about: ship, clock).map(\.english)
                #expect(listed.allSatisfy { !$0.hasSuffix(".") && !$0.contains(". ") }, "\(listed)")
                #expect(listed.contains { $0.hasPrefix("your invitation: ") } == (standing != nil), "\(listed)")
            }
        }
    }

    @Test func itsEndIsNews() {
        func news(_ now: CharterInfo.OwnInvitation?, since before: WorkspaceInfo?) -> [String] {
            WorkspaceText.news(of: ship(now), since: before).map(\.english)
        }
        #expect(
            news(.admits, since: nil).first
                == "Your invitation lets you into the workspace Ship as soon as an admin is connected."
        )
        #expect(news(nil, since: nil).first?.hasPrefix("An admin has to let you into the workspace Ship.") == true)
        #expect(
            news(.usedUp, since: ship(.admits)) == [
                "Your invitation to the workspace Ship has ended. An admin has to let you in."
            ]
        )
        #expect(news(.admits, since: ship(.admits)).isEmpty)
    }
}
