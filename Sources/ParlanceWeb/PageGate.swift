package import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// Decides whether a request is answered at all: it protects the page from the other pages of the browser
/// (protocol/page.md, "Who is answered").
package struct PageGate: Sendable {
    /// The port on which the page is served.
    let port: UInt16

    package init(port: UInt16) {
        self.port = port
    }

    /// Who is answered.
    package enum Access: Equatable, Sendable {
        /// Every browser: files of the page hold no secret.
        case anyBrowser
        /// A browser that was let in, which the cookie shows.
        case knownBrowser
        /// The page itself in such a browser, which its own header shows.
        case page
    }

    /// - Returns: why the request is refused; `nil` if it is not.
    package func refusal(of request: PageRequest, for access: Access, isKnown: (String) -> Bool) -> ControlError? {
        guard let host = request.host, hosts.contains(host) else {
            return ControlError(
                .notPermitted,
                "This address is not the page's own.",
                advice: "Open the page with: parlance open"
            )
        }
        if let origin = request.origin, origin != "http://\(host)" { return Self.foreign }
        if let site = request.fetchSite, site != "same-origin", site != "none" { return Self.foreign }
        if access == .page, !request.isOfPage { return Self.foreign }
        guard access == .anyBrowser || request.cookies[cookie]?.contains(where: isKnown) == true else {
            return ControlError(
                .notSignedIn,
                "This browser has not opened the page yet, or not for a long time.",
                advice: "Open the page with: parlance open"
            )
        }
        return nil
    }

    /// The name of the cookie. Browsers give a cookie to all ports of a host, so each port has its own.
    package var cookie: String { "parlance_\(port)" }

    /// The value of `Set-Cookie` that lets a browser in.
    func settingCookie(_ value: String) -> String {
        "\(cookie)=\(value); Path=/; Max-Age=\(PageLimits.sessionSeconds); HttpOnly; SameSite=Strict"
    }

    /// Browsers leave the port of `http` out.
    private var hosts: [String] { ["127.0.0.1", "localhost"].map { port == 80 ? $0 : "\($0):\(port)" } }

    private static let foreign = ControlError(
        .notPermitted,
        "Only the page itself may ask this.",
        advice: "Nothing was done. Open the page with: parlance open"
    )
}
