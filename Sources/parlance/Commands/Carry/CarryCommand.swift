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

    /// The people named, or everybody who is accepted here.
    static func people(_ who: [String], _ session: Session) async throws -> [CarryFilesReply] {
        var named = who
        if named.isEmpty {
            let peers = try await session.client.call(PeersOperation()).peers
            named = peers.filter { $0.trust == .accepted || $0.trust == .verified }.map(\.id)
        }
        guard !named.isEmpty else {
            throw ControlFailure(
                code: ErrorCode.notAllowed.rawValue,
                message: "There is nobody to carry for: you have accepted nobody.",
                advice: "Exchange peer IDs, then write to each other once: parlance send PEER-ID TEXT"
            )
        }
        var found: [CarryFilesReply] = []
        for name in named {
            let files: CarryFilesReply
            do {
                files = try await session.client.call(CarryFilesOperation(who: name))
            } catch let failure as ControlFailure where who.isEmpty && failure.reason?.name == "carriesToLeftOut" {
                report(failure, session)
                continue
            }
            if !found.contains(where: { $0.peer.id == files.peer.id }) { found.append(files) }
        }
        return found
    }
}
