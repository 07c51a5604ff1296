package import ParlanceRecords

extension GroupNote {
    /// `nil` for what no group contains.
    package init?(_ change: MembershipChange) {
        switch change.action {
        case .create(let title): self = .created(title: title, members: change.subjects)
        case .add: self = .added(change.subjects)
        case .remove: self = .removed(change.subjects)
        case .leave: self = .left
        case .appoint: self = .appointed(change.subjects)
        case .dismiss: self = .dismissed(change.subjects)
        case .admit, .note: return nil
        }
    }
}
