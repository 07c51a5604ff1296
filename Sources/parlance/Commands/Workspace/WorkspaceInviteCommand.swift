import ArgumentParser
import ParlanceControl
import ParlanceErrorCode
import ParlanceTexts
import ParlanceWords

/// `parlance workspace invite`
struct WorkspaceInviteCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print the invitation code, or make one that lets in so many people until a day.",
        discussion: """
            Anybody who has the code of the workspace can join, until the key is changed. Hand it over in person.

            Where admins let members in (parlance workspace policy admission approve), those who join by that code wait for \
            an admin. A code that you make with --uses or --until lets in by itself: 1 person if you do not say how many, for \
            7 days if you do not say until when. It works while the computer of some admin is on. Whoever has it could let in \
            strangers with it, so give each group a code of its own. A new key ends the codes within a day, and an exclusion \
            ends them at once; the people who have joined stay.

            Standing invitations are listed by: parlance workspace show

            Examples: parlance workspace invite
                      parlance workspace invite --uses 20 --until 2026-12-24
                      parlance workspace invite --end abcdefgh
            """
    )

    @Option(help: ArgumentHelp("How many people it lets in, 1 to 1000.", valueName: "n"))
    var uses: Int?

    @Option(help: ArgumentHelp("The last day, such as 2026-12-24 or today.", valueName: "day"))
    var until: String?

    @Option(help: ArgumentHelp("End the invitation whose ID begins so.", valueName: "which"))
    var end: String?

    @OptionGroup var options: Options

    var onlyShows: Bool { end == nil && uses == nil && until == nil }

    func run(_ session: Session) async throws {
        if let end {
            guard uses == nil, until == nil else {
                throw ValidationError(say("--end cannot be given together with --uses or --until."))
            }
            return try await showWorkspace(WorkspaceUninviteOperation(invitation: end), session) { _ in
                [say("The invitation has ended. Those who came by it are members as before.")]
            }
        }
        guard uses != nil || until != nil else {
            let reply = try await session.client.call(WorkspaceShowOperation())
            if let ended = reply.workspace.flatMap({ WorkspaceText.endedCode(of: $0) }) {
                throw ControlFailure(
                    code: ErrorCode.notAllowed.rawValue,
                    message: ended,
                    advice: "Whoever is to join gets the present code from a member."
                )
            }
            return try session.write(reply) { reply in
                guard let workspace = reply.workspace else {
                    return [say("This node is in no workspace. Make one: parlance workspace create NAME")]
                }
                return [say("The others join with: \(Phrase(elsewhere: "parlance workspace join CODE"))")]
                    + invitation(workspace.code, session)
            }
        }
        try await session.show(WorkspaceInviteOperation(uses: uses, until: until)) { made in
            let until = session.clock.short(made.invitation.until)
            return [
                made.invitation.uses == 1
                    ? say("This code lets in one person, until \(until). It is shown only now.")
                    : say("This code lets in \(made.invitation.uses) people, until \(until). It is shown only now."),
                say("The others join with: \(Phrase(elsewhere: "parlance workspace join CODE"))"),
            ] + invitation(made.code, session) + [
                say("To end it: parlance workspace invite --end \(made.invitation.prefix)")
            ]
        }
    }
}
