import ArgumentParser
import ParlanceControl

/// The form of exported conversations.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, html, json

    func renderer(withBlocked: Bool) -> any ExportRenderer {
        switch self {
        case .text: ExportText(withBlocked: withBlocked, clock: .system().dated)
        case .html: ExportHTML(withBlocked: withBlocked, clock: .system().dated)
        case .json: ExportJSON()
        }
    }
}
