package import HTTPTypes

/// What a request asks for.
package enum PageRoute: Sendable {
    case asset(PageAssets.Asset)
    case launch, words, rpc, events, upload
    /// A file by its ID.
    case download(String)

    package init?(_ method: HTTPRequest.Method, _ path: String) {
        switch (method, path) {
        case (.post, "/rpc"): self = .rpc
        case (.post, "/files"): self = .upload
        case (.get, "/events"): self = .events
        case (.get, "/launch"): self = .launch
        case (.get, "/words"): self = .words
        case (.get, _) where path.hasPrefix("/files/"): self = .download(String(path.dropFirst("/files/".count)))
        case (.get, _), (.head, _):
            guard let asset = PageAssets.all[path] else { return nil }
            self = .asset(asset)
        default: return nil
        }
    }

    package var access: PageGate.Access {
        switch self {
        case .asset, .launch, .words: .anyBrowser
        // A link to a file cannot send a header.
        case .download: .knownBrowser
        case .rpc, .events, .upload: .page
        }
    }
}
