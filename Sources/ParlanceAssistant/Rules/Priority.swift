/// How urgent a message or an action is.
package enum Priority: String, Codable, Sendable, CaseIterable {
    case high, normal, low
}
