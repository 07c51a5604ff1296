/// One action of a person or a machine at a given time: a line of the script. Everything else that it needs is drawn
/// from its salt, so that leaving out an act changes no other.
package struct Act: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        // People.
        case send, burst, sendLong, sendWrong, read, typing, presence, rename, alias, accept, block, forget, cancel
        case retry, ask, decline, unblock, verify, courier
        // Only in offices with a workspace.
        case joinWorkspace, leaveWorkspace, renewWorkspace, rotateKey, leaveOut, changeSettings
        // Groups.
        case createGroup, sendGroup, add, remove, leave, appoint, dismiss, retitle, readGroup, rollCall
        // Actions on messages.
        case reply, edit, delete, react
        // Links.
        case loseLink, lossyNetwork, slowNetwork, dyingHandshakes, partition, deafness, duplicateLink, stripBodies
        case networkChange, sighting, sightingLost, rotateApart
        // Machines.
        case crash, losePower, stop, clockJump, slowDisk, failDisk, breakDisk, fullDisk, emptyReads, failReads
        case backUp, restore, rollBack, clone, clockTrip, manyRestores, laterKind
        // Nothing new for a while: everything that can get through does.
        case stillness
        // Acts that follow the acts above automatically, after a while.
        case restart, heal, hear, calm, quickDisk, restoreNow, rollBackNow, otherCopy, someRoom, clockBack, vanish
        case restoreAgain, night, answerRoll, lookForCouriers, typeElsewhere, goToIslands
        // People at their desktops and screens, drawn by themselves (`Script.desks`).
        case userSeen
        // People who have old texts removed, drawn by themselves (`Script.tidying`).
        case retain
        // People who clear, delete and hide conversations, drawn by themselves (`Script.clearing`).
        case clear
        // Sticks that people carry, drawn by themselves (`Script.rounds`).
        case carryOut, carryIn, tamper
        // Files that people send, drawn by themselves (`Script.filing`).
        case sendFile, wishFile
        // People who let others write more in a day, drawn by themselves (`Script.scarcity`).
        case allow
        // People who choose a picture of themselves, or remove it, drawn by themselves (`Script.portraits`).
        case choosePicture
        // The owner of a hostile node, drawn by itself (`Script.hostility`).
        case misbehave
    }

    package var time: Int64
    package var kind: Kind
    /// The actor, and the node that the act concerns; both modulo the number of nodes.
    package var node: Int
    package var other: Int
    package var salt: UInt64

    package init(time: Int64, kind: Kind, node: Int, other: Int, salt: UInt64) {
        self.time = time
        self.kind = kind
        self.node = node
        self.other = other
        self.salt = salt
    }
}

extension Act.Kind {
    /// Its weight when acts are drawn; acts that only follow others are never drawn.
    var weight: Int64 {
        switch self {
        case .send: 300
        case .burst: 24
        case .sendLong, .sendWrong: 6
        case .read: 70
        case .typing: 24
        case .presence: 12
        case .rename: 5
        case .alias: 5
        case .accept: 30
        case .block: 4
        case .forget: 3
        case .cancel: 40
        case .retry: 12
        case .ask: 24
        case .decline, .unblock: 3
        case .verify, .laterKind: 4
        case .courier: 16
        case .createGroup: 8
        case .sendGroup: 160
        case .add: 14
        case .remove: 10
        case .leave: 3
        case .appoint: 10
        case .dismiss: 4
        case .retitle: 6
        case .readGroup: 30
        case .rollCall: 3
        case .joinWorkspace: 16
        case .leaveWorkspace, .renewWorkspace: 3
        case .rotateKey: 12
        case .leaveOut: 5
        case .changeSettings: 8
        case .reply, .edit: 16
        case .delete: 8
        case .react: 20
        case .loseLink: 20
        case .lossyNetwork, .slowNetwork: 8
        case .dyingHandshakes: 4
        case .partition: 14
        case .deafness: 8
        case .duplicateLink: 12
        case .stripBodies: 8
        case .networkChange: 5
        case .sighting: 16
        case .sightingLost: 10
        case .crash: 24
        case .losePower: 10
        case .stop: 12
        case .clockJump: 12
        case .clockTrip: 3
        case .rotateApart: 6
        case .manyRestores: 1
        case .stillness: 8
        case .slowDisk: 10
        case .failDisk: 12
        case .fullDisk: 6
        case .breakDisk: 5
        case .emptyReads, .failReads: 8
        case .backUp: 12
        case .restore: 3
        case .rollBack, .clone: 2
        case .restart, .heal, .hear, .calm, .quickDisk, .restoreNow, .rollBackNow, .otherCopy, .someRoom, .clockBack,
            .vanish, .restoreAgain, .night, .answerRoll, .lookForCouriers, .typeElsewhere, .userSeen, .retain,
            .clear, .carryOut, .carryIn, .tamper, .goToIslands, .sendFile, .wishFile,
            .allow, .choosePicture, .misbehave:
            0
        }
    }

    /// Whether it is an action of people, not a fault.
    package var isPeoples: Bool {
        switch self {
        case .send, .burst, .sendLong, .sendWrong, .read, .typing, .presence, .rename, .alias, .accept, .block, .forget,
            .cancel, .retry, .ask, .decline, .unblock, .verify, .courier, .createGroup, .sendGroup, .add, .remove,
            .leave, .appoint, .dismiss, .retitle, .userSeen, .retain, .clear, .carryOut, .carryIn, .sendFile, .wishFile,
            .readGroup, .rollCall, .reply, .edit, .delete, .react, .joinWorkspace, .leaveWorkspace, .renewWorkspace,
            .rotateKey, .leaveOut, .changeSettings, .allow, .choosePicture:
            true
        default: false
        }
    }

    /// Whether it makes sense only with a workspace.
    var isOfWorkspaces: Bool {
        switch self {
        case .joinWorkspace, .leaveWorkspace, .renewWorkspace, .rotateKey, .leaveOut, .changeSettings, .rotateApart:
            true
        default: false
        }
    }
}
