/// Of what the user wants to be notified: the setting `notify`.
package enum NotifyLevel: String, CaseIterable, Sendable {
    case none, mention, direct, all

    /// Whether something of this kind is wanted. A request to talk is a direct message to come.
    package func wants(_ occasion: Occasion) -> Bool {
        switch occasion {
        case .mention: self != .none
        case .direct, .request: self == .direct || self == .all
        case .group: self == .all
        case .presence: false
        }
    }
}
