package import ParlanceWords

/// Why a call to a daemon failed, as a command shows it.
package struct ControlFailure: Error, Codable, Equatable, Sendable {
    /// A stable word: `noDaemon`, `connectionLost`, `daemonSilent`, `badReply`, or the code in the daemon's error data.
    package var code: String
    /// What went wrong and why.
    package var message: Phrase
    /// What to do about it.
    package var advice: Phrase
    /// The peers and groups that may be meant, for an ambiguous WHO.
    package var candidates: [ControlError.Candidate]
    /// Why, for a client that has words of its own; nil if the engine did not refuse.
    package var reason: ErrorReason?

    package init(
        code: String,
        message: Phrase,
        advice: Phrase,
        candidates: [ControlError.Candidate] = [],
        reason: ErrorReason? = nil
    ) {
        self.code = code
        self.message = message
        self.advice = advice
        self.candidates = candidates
        self.reason = reason
    }

    package init(_ error: RPCError) {
        self.init(
            code: error.code,
            message: error.message,
            advice: error.advice,
            candidates: error.candidates ?? [],
            reason: error.reason
        )
    }

    package init(_ error: ControlError) {
        self.init(RPCError(error))
    }

    /// Nobody serves the socket.
    package static func noDaemon(_ path: String) -> ControlFailure {
        ControlFailure(
            code: "noDaemon",
            message: "No daemon answers at \(path): parlanced is not running.",
            advice: "Start it with: parlanced"
        )
    }

    /// The socket is another user's. Who asks must mean that user: what it answers may be made up.
    static func servedByAnother(_ path: String, isRoot: Bool) -> ControlFailure {
        ControlFailure(
            code: "notPermitted",
            message: "The socket \(path) is served by another user.",
            advice: isRoot
                ? "If you mean the node of that user, give the command as that user, or add --any-user."
                : "Do not use it; find out who put it there, and start your own parlanced."
        )
    }

    /// The connection ended before the reply.
    package static let connectionLost = ControlFailure(
        code: "connectionLost",
        message: "The daemon closed the connection.",
        advice: "See whether parlanced still runs; what it had answered is done, anything else may not be."
    )

    /// The code of a daemon that runs and does not answer.
    package static let silentCode = "daemonSilent"

    /// A daemon takes connections, and answers nothing.
    package static func daemonSilent(_ path: String) -> ControlFailure {
        ControlFailure(
            code: silentCode,
            message: """
                The daemon at \(path) does not answer: parlanced runs, but has said nothing for \
                \(ControlLimits.daemonSilentMilliseconds / 1000) seconds. It hangs, or somebody has stopped it.
                """,
            advice: """
                End parlanced and start it again; as a service: systemctl --user restart parlanced. Then see whether what \
                you asked for is done before you ask again.
                """
        )
    }

    /// Whether the connection cannot be used any longer.
    package var isConnectionLost: Bool { ["connectionLost", Self.silentCode].contains(code) }

    /// The failure in words for people; a daemon that lacks a method is of an older version than the command.
    package var forPeople: ControlFailure {
        guard code == "methodNotFound" else { return self }
        return ControlFailure(
            code: code,
            message: """
                The daemon does not know this command: it is of an older version than parlance \(ParlanceVersion.text).
                """,
            advice: """
                Stop parlanced and start it again, so that the installed version runs. As a service: \
                systemctl --user restart parlanced
                """
        )
    }

    /// This version does not understand the daemon's answer.
    package static func badReply(_ why: Phrase) -> ControlFailure {
        ControlFailure(
            code: "badReply",
            message: "The daemon's answer is not understood: \(why).",
            advice: "Use parlance and parlanced of the same version."
        )
    }
}
