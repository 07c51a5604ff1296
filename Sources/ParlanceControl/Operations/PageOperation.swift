package import ParlanceWords

/// `page.open`: makes a link that opens the local page in one browser, once (protocol/page.md).
package struct PageOpenOperation: BareOperation {
    package typealias Reply = PageOpenReply
    package static let method = "page.open"

    package init() {}
}

package struct PageOpenReply: Codable, Equatable, Sendable {
    /// Works once, within 5 minutes, on this machine.
    package var link: String
    /// That the page is served on another port than the one that was set; absent if not.
    package var note: Phrase?

    package init(link: String, note: Phrase? = nil) {
        (self.link, self.note) = (link, note)
    }
}
