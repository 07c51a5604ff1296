import ParlanceControl
import ParlanceWeb
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension PageStanding {
    /// What `status` and `doctor` say of the page; `nil` if it is where it was to be.
    var problem: NodeStatus.Problem? {
        switch self {
        case .asWanted: nil
        case .elsewhere(_, _, let fault):
            NodeStatus.Problem(
                code: Self.code,
                message: note ?? "",
                advice: fault == EADDRINUSE
                    ? """
                    End that program and start the daemon again. Or choose another port, then start the daemon again: \
                    parlance config set page-port NUMBER
                    """
                    : "Choose another port, then start the daemon again: parlance config set page-port NUMBER",
                severity: .note
            )
        case .nowhere:
            NodeStatus.Problem(
                code: Self.code,
                message: "Your page cannot be served: no port of 127.0.0.1 can be used.",
                advice: "It is tried again by itself. Is the loopback interface up (ip address show lo)?"
            )
        }
    }

    /// What whoever opens the page is told; `nil` if it is where it was to be.
    var note: Phrase? {
        guard case .elsewhere(let wanted, let port, let fault) = self else { return nil }
        let place = "http://127.0.0.1:\(port)"
        switch fault {
        case EADDRINUSE, 0:
            return Phrase("Your page is at \(place): another program has port \(wanted), which page-port names.")
        case EACCES:
            return Phrase("Your page is at \(place): you may not use port \(wanted), which page-port names.")
        default:
            let reason = String(cString: strerror(fault))
            return Phrase(
                "Your page is at \(place): port \(wanted), which page-port names, cannot be used (\(reason))."
            )
        }
    }

    private static let code = "page"
}
