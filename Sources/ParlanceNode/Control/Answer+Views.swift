import ParlanceCore
import ParlanceRecords

// The contents of an answer, if it has the expected kind: each command has one kind of answer.
extension Answer {
    var done: Void? { if case .done = self { () } else { nil } }
    var sent: SentMessage? { if case .sent(let message) = self { message } else { nil } }
    var peer: PeerView? { if case .peer(let view) = self { view } else { nil } }
    /// A peer as a command left it, and as it was before.
    var change: (now: PeerView, before: PeerView)? {
        if case .changed(let now, let before) = self { (now, before) } else { nil }
    }
    var peers: [PeerView]? { if case .peers(let views) = self { views } else { nil } }
    var group: GroupView? { if case .group(let view) = self { view } else { nil } }
    /// All peers and groups at one moment.
    var places: [Place]? {
        guard case .conversations(let peers, let groups) = self else { return nil }
        return peers.map { .peer($0) } + groups.map { .group($0) }
    }
    var forks: [BranchRecord]? { if case .forks(let branches) = self { branches } else { nil } }
    var doctor: DoctorView? { if case .doctor(let view) = self { view } else { nil } }
    var dialedBack: DialBackView?? { if case .dialedBack(let view) = self { view } else { nil } }
    var profile: ProfileView? { if case .profile(let profile) = self { profile } else { nil } }
    var preference: (conversation: ConversationRecord, preference: Preference)? {
        if case .preference(let conversation, let preference) = self { (conversation, preference) } else { nil }
    }
    var status: StatusView? { if case .status(let view) = self { view } else { nil } }
    var imported: ImportedPeople? { if case .imported(let outcome) = self { outcome } else { nil } }
    var workspace: WorkspaceView?? { if case .workspace(let view) = self { view } else { nil } }
    var charter: Charter? { if case .charter(let charter) = self { charter } else { nil } }
    var carriage: CarriageView? { if case .carriage(let view) = self { view } else { nil } }
    var packed: PackedParcel? { if case .packed(let parcel) = self { parcel } else { nil } }
    var taken: TakenParcel? { if case .taken(let parcel) = self { parcel } else { nil } }
    var transfers: (files: [TransferView], uploads: [UploadView])? {
        if case .transfers(let files, let uploads) = self { (files, uploads) } else { nil }
    }
    /// A peer or a group.
    var place: Place? { Place(self) }
}
