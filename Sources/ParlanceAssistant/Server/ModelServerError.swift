/// Why a model server gave no answer.
package enum ModelServerError: Error, Equatable, Sendable {
    /// No model is named, or the server has none.
    case noModel
    /// The name of the host has no address.
    case unresolvable(host: String)
    /// The host has this address outside of the local network, so no connection was made.
    case publicAddress(String)
    /// No address of the host accepted a connection. This is the last one that was tried, with its port.
    case unreachable(String)
    case timedOut(Phase)
    /// The server sent more than the limit of this part.
    case tooLarge(Part)
    /// The server pointed elsewhere, which is not followed. The target is nil if it named none.
    case redirected(to: String?)
    /// The server has too much to do (status 429), also after one more try if it asked for a short wait.
    case busy(retryAfter: Duration?)
    /// The server answered with this other status, and perhaps with a message of its own.
    case status(Int, message: String?)
    /// The server reported an error inside of a response that looked good.
    case reported(message: String?)
    /// The response does not have the form that it must have.
    case malformed(Defect)
    /// The connection ended before the answer did. This is the text that came.
    case cut(text: String)
    /// The request needs more tokens than there are, even without its context.
    case overBudget(tokens: Int, budget: Int)
    /// The answer is no JSON of the wanted form, also after one more try. The reason names the place.
    case invalidJSON(answer: String, reason: String)

    /// Whether it may be about these texts alone, so that the server may embed others. Servers say in many ways that a text
    /// is too long: 400, 413, 422 and 500 are in use.
    var isRefusal: Bool {
        switch self {
        case .status(let status, _): [400, 413, 422, 500].contains(status)
        case .reported, .malformed: true
        default: false
        }
    }

    package enum Phase: Equatable, Sendable { case connecting, firstByte, idle, whole }

    package enum Part: Equatable, Sendable { case head, body, line, stream, answer }

    package enum Defect: Equatable, Sendable {
        /// It is no HTTP response.
        case http
        /// The body is no JSON of the form of this operation.
        case body
        /// An event of the stream is no JSON of the form of a delta.
        case event
        /// There is no choice in it.
        case noChoices
        /// There are more or fewer embeddings than texts.
        case count
        /// The indices of the embeddings are not each number from 0 once.
        case index
        /// An embedding has none, too many, or another number of numbers than the others.
        case dimensions
        /// An embedding has a number that is infinite or none at all.
        case notFinite
    }
}
