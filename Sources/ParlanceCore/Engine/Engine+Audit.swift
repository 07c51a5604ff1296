import ParlanceHistory
import ParlanceWire

extension Engine {
    /// What rooms keep so that they need not look at everything.
    package enum Index: String, CaseIterable {
        case groupsOfPerson, asking, targetsOfPeer, members, directory
    }

    /// The indexes that a look at everything contradicts: for tests.
    package var wrongIndexes: [Index] { Index.allCases.filter { !isRight($0) } }

    private func isRight(_ index: Index) -> Bool {
        switch index {
        case .groupsOfPerson: conversations.isIndexSound
        case .asking: contacts.asking == Contacts(contacts.all).asking
        case .targetsOfPeer: dialing.places.isSound
        case .members: conversations.values.allSatisfy { $0.group?.membership.listsItsMembers != false }
        case .directory: isDirectorySound
        }
    }
}
