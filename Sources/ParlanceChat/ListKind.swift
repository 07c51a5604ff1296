/// A part of the list at the left that is read from the daemon as a whole.
enum ListKind: Hashable, Sendable, CaseIterable {
    case conversations, requests, people
}
