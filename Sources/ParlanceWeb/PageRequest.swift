package import HTTPTypes
import HummingbirdCore
import ParlanceWords

/// What of a request decides how it is answered.
package struct PageRequest: Equatable, Sendable {
    package var method: HTTPRequest.Method
    /// Begins with a slash; percent-decoded.
    package var path: String
    package var query: [String: String] = [:]
    var host: String?
    var origin: String?
    var fetchSite: String?
    /// Several may have one name: another program on this machine can set a cookie with a path of its own.
    var cookies: [String: [String]] = [:]
    var isOfPage = false
    var tab: String?
    var lastEventID: String?
    var etag: String?
    var takesDeflated = false
    var language = Language.english

    init(method: HTTPRequest.Method, path: String) {
        self.method = method
        self.path = path
    }

    package init(_ head: HTTPRequest) {
        let target = head.path ?? "/"
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        self.init(method: head.method, path: Self.decoded(target[..<mark]) ?? "")
        let query = Self.pairs(target[mark...].dropFirst(), between: "&")
            .compactMap { pair in Self.decoded(pair.value).map { (pair.name, $0) } }
        self.query = Dictionary(query) { first, _ in first }
        let fields = head.headerFields
        // The first one is the authority; of two, neither counts.
        host = Self.host.map { fields.contains($0) } == true ? nil : head.authority
        origin = fields[.origin]
        fetchSite = Self.fetchSite.flatMap { fields[$0] }
        cookies = Dictionary(grouping: Self.pairs((fields[.cookie] ?? "")[...], between: ";"), by: \.name)
            .mapValues { $0.map { String($0.value) } }
        isOfPage = Self.page.flatMap { fields[$0] } == "1"
        tab = Self.tab.flatMap { fields[$0] }
        lastEventID = Self.lastEventID.flatMap { fields[$0] }
        etag = fields[.ifNoneMatch]
        takesDeflated = Self.takesDeflated(fields[.acceptEncoding] ?? "")
        language = Self.language(fields[.acceptLanguage] ?? "")
    }

    private static let host = HTTPField.Name("Host")
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")
    private static let page = HTTPField.Name("Parlance-Page")
    private static let tab = HTTPField.Name("Parlance-Tab")
    private static let lastEventID = HTTPField.Name("Last-Event-ID")

    /// The first language that the daemon speaks. Browsers list them by preference (RFC 9110, section 12.5.4).
    private static func language(_ accepted: String) -> Language {
        accepted.split(separator: ",").lazy
            .compactMap { Language(tag: $0.prefix { $0 != ";" }.trimming(" ")) }
            .first ?? .english
    }

    /// Whether the list of encodings names "deflate", and does not rule it out (RFC 9110, section 12.5.3).
    private static func takesDeflated(_ accepted: String) -> Bool {
        accepted.lowercased().split(separator: ",").contains { one in
            let parts = one.split(separator: ";").map { $0.trimming(" ") }
            guard parts.first == "deflate" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }

    /// Reads `a=b&c=d`.
    private static func pairs(
        _ text: Substring,
        between separator: Character
    ) -> [(name: String, value: Substring)] {
        text.split(separator: separator).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].trimming(" "), parts.count > 1 ? parts[1] : "")
        }
    }

    /// Replaces `%41` by the byte (RFC 3986, section 2.1); nil if that is not UTF-8 or is cut.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let text = String(validating: digits, as: UTF8.self),
                text.allSatisfy(\.isHexDigit), let decoded = UInt8(text, radix: 16)
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    fileprivate func trimming(_ character: Character) -> String {
        var text = self[...]
        while text.first == character { text = text.dropFirst() }
        while text.last == character { text = text.dropLast() }
        return String(text)
    }
}
