import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The components for the workspace and for its addresses, without an engine.
@Suite struct WorkspaceRoomTests {
    private let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private let command = CommandID(1)

    private func key(_ byte: UInt8, number: UInt64 = 1) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: byte, count: 32)), number: number)
    }

    private var people: People { People(own: bob, Contacts([]), Conversations(), nil, AddressBook()) }

    private func link(_ workspaceTag: UInt32?) throws -> Link {
        let opened = LinkOpened(
            link: LinkID(1),
            peer: bob,
            replica: try #require(ReplicaID([UInt8](repeating: 2, count: ReplicaID.count))),
            epoch: 1,
            dial: nil,
            remote: Endpoint(host: "10.0.0.2", port: 4747),
            workspaceTag: workspaceTag
        )
        return Link(opened, at: Instant(monotonic: 5_000, wall: 5_000))
    }

    @Test func aChangeIsWrittenAndSaid() throws {
        var turn = try Turn.made()
        var workspace = OwnWorkspace(nil, acceptsMembers: true)
        #expect(workspace.leave(Links(), people, command, &turn) == [])
        #expect(
            workspace.join("office", key(1), nil, nil, isChosen: false, Links(), people, command, &turn) == [
                .workspaceChanged
            ]
        )
        #expect(
            workspace.join("office", key(1), nil, nil, isChosen: false, Links(), people, command, &turn) == [],
            "it is in it already"
        )
        #expect(turn.batch.after.filter { $0 == .useWorkspace }.count == 1)
        for (name, isChosen, shown) in [("Our office", true, "Our office"), ("office", false, "Our office")] {
            _ = workspace.join(name, key(1), nil, nil, isChosen: isChosen, Links(), people, command, &turn)
            #expect(workspace.current?.shownName == shown, "a name that the user chooses counts, also later")
        }
        #expect(workspace.takes(key(1).tag))
        #expect(!workspace.takes(nil))
        #expect(workspace.rotate(to: key(2), without: [bob], Links(), people, command, &turn) == [.workspaceChanged])
        #expect(workspace.current?.newest?.number == 2)
        #expect(workspace.current?.removed == [bob])
        #expect(workspace.leave(Links(), people, command, &turn) == [.workspaceChanged])
        #expect(turn.batch.rows.workspace == .left)
    }

    @Test func aMemberIsAcceptedOnTheNewestKeyOnly() throws {
        var turn = try Turn.made()
        var workspace = OwnWorkspace(Workspace(name: "office", keys: [key(1)]), acceptsMembers: true)
        #expect(workspace.learn(key(2, number: 2), removed: [], own: turn.own.identity, &turn) == [.workspaceChanged])
        #expect(workspace.learn(key(2, number: 2), removed: [], own: turn.own.identity, &turn) == [])
        var record = PeerRecord(id: bob)
        #expect(workspace.accepts(record, with: key(2).tag))
        #expect(!workspace.accepts(record, with: key(1).tag))
        record.declined = 7
        #expect(!workspace.accepts(record, with: key(2).tag))
    }

    @Test func nobodyIsAcceptedOnceThatIsTurnedOff() throws {
        var workspace = OwnWorkspace(Workspace(name: "office", keys: [key(1)]), acceptsMembers: true)
        let (record, tag) = (PeerRecord(id: bob), key(1).tag)
        #expect(workspace.accepts(record, with: tag))
        workspace.setAcceptsMembers(false)
        #expect(!workspace.accepts(record, with: tag))
        workspace.setAcceptsMembers(true)
        #expect(workspace.accepts(record, with: tag))
    }

    @Test func aLinkWithAnOldKeyServesForHandingOnTheNewest() throws {
        var turn = try Turn.made()
        var workspace = OwnWorkspace(Workspace(name: "office", keys: [key(1)]), acceptsMembers: true)
        _ = workspace.learn(key(2, number: 2), removed: [], own: turn.own.identity, &turn)
        let (durable, old) = (try #require(workspace.current), try link(key(1).tag))
        let later = turn.now.wall + Limits.workspaceKeyServesMilliseconds
        #expect(durable.handover(on: old, isAccepted: true, at: turn.now.wall) == .init(isTold: true, serves: true))
        #expect(durable.handover(on: old, isAccepted: true, at: later) == .init(isTold: true, serves: false))
        #expect(durable.handover(on: old, isAccepted: false, at: later) == .init(isTold: false, serves: false))
        #expect(durable.handover(on: try link(nil), isAccepted: true, at: later) == nil)
    }

    @Test func whoMayBeApartIsForgottenOnceALinkServes() {
        var workspace = OwnWorkspace(Workspace(name: "office", keys: [key(1)]), acceptsMembers: true)
        workspace.heardNoKey(of: bob)
        #expect(workspace.mayBePartitioned(from: bob))
        workspace.isTogether(with: bob)
        #expect(!workspace.mayBePartitioned(from: bob))
    }

    @Test func thisNodeSignsItsPlacesOnceForEachChange() throws {
        let turn = try Turn.made()
        var book = AddressBook()
        let address = try #require(NumericAddress([10, 1, 2, 3]))
        #expect(book.listens(at: [address], inner: [], turn.own) == [.ownPlacesChanged(isFirst: true)])
        #expect(book.listens(at: [address], inner: [], turn.own) == [])
        #expect(book.signOwn(isMember: true, turn) == [.ownAddressesSigned])
        #expect(book.signOwn(isMember: true, turn) == [])
        #expect(book[turn.own.identity]?.time == UInt64(turn.now.wall))
        #expect(book.listens(at: [], inner: [], turn.own) == [.ownPlacesChanged(isFirst: false)])
        #expect(book.signOwn(isMember: true, turn) == [])
        #expect(book[turn.own.identity] == nil, "a node without addresses has no entry")
    }

    /// The address of docker0 means another machine elsewhere.
    @Test func anInnerAddressIsToldOnceAPeerHasComeByIt() throws {
        let turn = try Turn.made()
        var book = AddressBook()
        let (outer, inner) = (
            try #require(NumericAddress([10, 1, 2, 3])), try #require(NumericAddress([172, 17, 0, 1]))
        )
        _ = book.listens(at: [inner, outer], inner: [inner], turn.own)
        _ = book.signOwn(isMember: true, turn)
        #expect(book[turn.own.identity]?.places.map(\.address) == [outer])
        #expect(book.served(at: outer, turn.own) == [] && book.served(at: nil, turn.own) == [])
        #expect(book.served(at: inner, turn.own) == [.ownPlacesChanged(isFirst: false)])
        #expect(book.served(at: inner, turn.own) == [], "once is enough")
        _ = book.signOwn(isMember: true, turn)
        #expect(book[turn.own.identity]?.places.map(\.address) == [inner, outer])
    }

    @Test func theMachineSaysWhichAddressesItHasLost() throws {
        var book = AddressBook()
        let (first, second) = (
            try #require(NumericAddress([10, 1, 2, 3])), try #require(NumericAddress([10, 1, 2, 4]))
        )
        #expect(book.machineHas([first, second]) == [])
        #expect(book.machineHas([second]) == [first])
        #expect(book.isOfMachine(second) && !book.isOfMachine(first))
    }
}
