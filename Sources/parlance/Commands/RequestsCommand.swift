import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance requests`
struct RequestsCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List who asks to talk.",
        discussion: """
            Of somebody you have not accepted you get the beginning of one message and nothing else. \
            'parlance accept WHO' says yes; 'parlance decline WHO' says nothing, and keeps them from asking again for a day.

            Example: parlance requests
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await Self.list(session)
    }

    static func list(_ session: Session) async throws {
        try await session.show(RequestsOperation()) { reply in
            let names = (reply.declined ?? []).map { "\($0.shownName) (\(PeerIDText.short($0.id)))" }
            let declined =
                names.isEmpty
                ? []
                : [
                    VisibleText.line(
                        say("You declined: \(PeopleText.list(names)). To accept after all: parlance accept ID")
                    )
                ]
            guard !reply.requests.isEmpty else { return [say("Nobody asks to talk.")] + declined }
            var table = TextTable(["NAME", "ID", "SINCE", "WRITES"])
            for request in reply.requests {
                table.add([
                    TextTable.Cell(NameText.plain(request.name), .name),
                    TextTable.Cell(PeerIDText.short(request.peer)),
                    TextTable.Cell(session.clock.short(request.time)),
                    TextTable.Cell(request.preview),
                ])
            }
            let warnings = reply.requests.compactMap { request in
                request.warning.map {
                    session.style(.warning, VisibleText.line(say("Warning: \(NameText.plain(request.name)): \($0)")))
                }
            }
            let advice = [
                "", say("To accept: parlance accept ID. To drop the request: parlance decline ID"),
                say("Identity not verified yet: a name is what somebody claims to be."),
            ]
            return session.lines(table) + warnings + advice + declined
        }
    }
}

/// `parlance decline WHO`
struct DeclineCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Let a request to talk go away.",
        discussion: """
            They are not told, and can ask again in a day. To be rid of them for good: parlance block WHO.

            Example: parlance decline Mallory
            """
    )

    @Argument(help: "A name or a peer ID.", completion: Completions.person)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(DeclineOperation(who: who)) { peer in
            return [
                VisibleText.line(say("\(peer.shownName) is declined, and is not told. They can ask again after a day."))
            ]
        }
    }
}

/// `parlance unblock WHO`
struct UnblockCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "End a block.",
        discussion: """
            They are trusted as before: whoever was accepted or verified is so again, anybody else can ask to talk.

            Example: parlance unblock Mallory
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(UnblockOperation(who: who)) { peer in
            let name = peer.shownName
            return [
                VisibleText.line(
                    peer.trust == .unknown
                        ? say("\(name) is no longer blocked, and can ask to talk.")
                        : say("\(name) is no longer blocked, and is accepted.")
                )
            ]
        }
    }
}
