/// `page.open`: makes a link that opens the local page in one browser, once (protocol/page.md).
package struct PageOpenOperation: BareOperation {
    package typealias Reply = PageOpenReply
    package static let method = "page.open"

    package init() {}
}

package struct PageOpenReply: Codable, Equatable, Sendable {
    /// Works once, within 5 minutes, on this machine.
    package var link: String

    package init(link: String) {
        self.link = link
    }
}
