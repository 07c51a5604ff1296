import ParlanceControl
import ParlanceWords

/// Decides whether a request is answered at all: it protects the page from the other pages of the browser
/// (protocol/page.md, "Who is answered").
struct PageGate: Sendable {
    /// The port on which the page is served.
    let port: UInt16

    /// What a request needs to be answered.
    enum Need: Equatable, Sendable {
        /// Nothing more: files of the page, which hold no secret.
        case nothing
        /// The cookie.
        case session
        /// The cookie and the page's own header.
        case page
    }

    /// - Returns: why the request is refused; `nil` if it is not.
    func refusal(of request: PageRequest, needs need: Need, isKnown: (String) -> Bool) -> ControlError? {
        guard let host = request.host, hosts.contains(host) else {
            return ControlError(
                .notPermitted,
                "This address is not the page's own.",
                advice: "Open the page with: parlance open"
            )
        }
        if let origin = request.origin, origin != "http://\(host)" { return Self.foreign }
        if let site = request.fetchSite, site != "same-origin", site != "none" { return Self.foreign }
        if need == .page, !request.isOfPage { return Self.foreign }
        guard need == .nothing || request.cookies[cookie].map(isKnown) == true else {
            return ControlError(
                .notSignedIn,
                "This browser has not opened the page yet, or not for a long time.",
                advice: "Open the page with: parlance open"
            )
        }
        return nil
    }

    /// The name of the cookie. Browsers give a cookie to all ports of a host, so each port has its own.
    var cookie: String { "parlance_\(port)" }

    /// The value of `Set-Cookie` that lets a browser in.
    func settingCookie(_ value: String) -> String {
        "\(cookie)=\(value); Path=/; Max-Age=\(PageLimits.sessionSeconds); HttpOnly; SameSite=Strict"
    }

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    private static let foreign = ControlError(
        .notPermitted,
        "Only the page itself may ask this.",
        advice: "Nothing was done. Open the page with: parlance open"
    )
}
