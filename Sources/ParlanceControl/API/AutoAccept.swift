/// Who is accepted without asking the user.
package enum AutoAccept: String, CaseIterable, Sendable {
    case workspace, nobody
}
