import ParlanceControl
import ParlanceErrorCode
import ParlanceWeb
import ParlanceWords

extension NodeOperations {
    static let page: [any NodeOperation.Type] = [PageOpenOperation.self]
}

extension PageOpenOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PageOpenReply {
        guard let page = node.page, let link = page.makeLink() else {
            throw ControlError(
                .notYet,
                "The node serves no page.",
                advice:
                    "If you switched it off, give: parlance config set page-port --default. Then start the daemon again."
            )
        }
        return PageOpenReply(link: link, note: page.standing.note)
    }
}
