import ArgumentParser
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// `parlance carry ...`
struct CarryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carry",
        abstract: "Exchange messages by a stick, with people that no network reaches.",
        discussion: """
            'parlance carry out FOLDER' writes to a folder, such as that of a USB stick, what others may not have yet: your \
            messages, the messages of your groups, and receipts. It is sealed: each file can be read by one recipient only. \
            Take the stick there and run 'parlance carry in FOLDER', then 'parlance carry out FOLDER' for the way back.

            The first time nothing can be sealed, since the keys of the other are not here: carry out, in there, out there \
            and in here, once. The keys last 7 days.

            A message stays in the outbox until the receipt is back. Both commands can be repeated at any time, also after \
            the stick was pulled out: nothing arrives twice.

            Examples: parlance carry in /media/stick
                      parlance carry out /media/stick
                      parlance carry out /media/stick Bob Cleo
                      parlance carry out /media/stick Bob --files
            """,
        subcommands: [CarryOutCommand.self, CarryInCommand.self]
    )

    /// Reports a file that could not be used, and goes on with the others.
    static func report(_ failure: ControlFailure, _ session: Session) {
        ErrorOutput.show(failure, json: session.json)
    }

    /// The people named, or everybody who is accepted here and not excluded from the workspace.
    static func people(_ who: [String], _ session: Session) async throws -> [CarryFilesReply] {
        var (named, excluded) = (who, [String]())
        if named.isEmpty {
            let peers = try await session.client.call(PeersOperation()).peers
            let accepted = peers.filter { $0.trust == .accepted || $0.trust == .verified }
            excluded = accepted.filter { $0.leftOut == true }.map { NameText.plain($0.displayName) }
            named = accepted.filter { $0.leftOut != true }.map(\.id)
        }
        let passed = Phrase(
            "Nothing is carried for those who are excluded from the workspace: \(PeopleText.all(excluded))."
        )
        guard !named.isEmpty else {
            throw ControlFailure(
                code: ErrorCode.notAllowed.rawValue,
                message: excluded.isEmpty ? "There is nobody to carry for: you have accepted nobody." : passed,
                advice: "Exchange peer IDs, then write to each other once: parlance send PEER-ID TEXT"
            )
        }
        if !excluded.isEmpty { Terminal.standardError.write([VisibleText.line(say(passed))]) }
        var found: [CarryFilesReply] = []
        for who in named {
            let files = try await session.client.call(CarryFilesOperation(who: who))
            if !found.contains(where: { $0.peer.id == files.peer.id }) { found.append(files) }
        }
        return found
    }
}
