import CParlancePage
import CZlib
import NIOCore
import ParlanceControl
import ParlanceSodium
import ParlanceWords

/// The files of the page, which are compiled in. Its modules are served as two files (`PageBundle`).
package struct PageAssets: Sendable {
    package struct Asset: Sendable {
        let bytes: ByteBuffer
        /// The same in the format of zlib (RFC 1950), which HTTP calls "deflate"; empty if zlib could not make it.
        let deflated: ByteBuffer
        let type: String
        /// Changes with the content (RFC 9110, section 8.8.3).
        let etag: String
    }

    private let assets: [String: Asset]

    /// All of them, read once.
    static let all = PageAssets()

    /// What the page says, in English: the keys of the catalogue.
    private static let sentences = sources.filter { $0.name.hasSuffix(".js") }
        .reduce(into: Set<String>()) { $0.formUnion(PageSentences.all(in: String(decoding: $1.bytes, as: UTF8.self))) }
        .sorted()

    private init() {
        var assets: [String: Asset] = [:]
        var modules: [String: String] = [:]
        for (name, bytes) in Self.sources {
            // The worker is a script of its own, not a module of the page.
            if name.hasSuffix(".js"), name != "worker.js" {
                modules[name] = String(decoding: bytes, as: UTF8.self)
            } else {
                assets[name] = Self.asset(name, bytes)
            }
        }
        for (name, text) in PageBundle(modules, entry: "main.js").files {
            assets[name] = Array(text.utf8).withUnsafeBufferPointer { Self.asset(name, $0) }
        }
        self.assets = assets
    }

    /// The files as they were written, by name.
    static var sources: [(name: String, bytes: UnsafeBufferPointer<UInt8>)] {
        (0..<parlance_page_count()).compactMap { index in
            let asset = parlance_page_asset(index)
            guard let name = asset.name.map({ String(cString: $0) }) else { return nil }
            return (name, UnsafeBufferPointer(start: asset.bytes, count: asset.size))
        }
    }

    private static func asset(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Asset {
        Asset(
            bytes: ByteBuffer(bytes: bytes),
            deflated: deflated(bytes),
            type: type(of: name),
            etag: "\"\(Hex.text(Array(SHA256.hash(Array(bytes)).prefix(8))))\""
        )
    }

    private static func deflated(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Int(compressBound(UInt(bytes.count)))) { room in
            var count = UInt(room.count)
            let place = room.assumingMemoryBound(to: UInt8.self).baseAddress
            let code = compress2(place, &count, bytes.baseAddress, UInt(bytes.count), Z_BEST_COMPRESSION)
            return code == Z_OK ? Int(count) : 0
        }
        return buffer
    }

    subscript(path: String) -> Asset? { assets[path == "/" ? "index.html" : String(path.dropFirst())] }

    /// The language, and what the page says in it: the sentences that are not as they stand in its code. Their commands have the
    /// options of this daemon (`CommandOptions`).
    func words(in language: Language) -> JSON {
        let sentences = Self.sentences.map { ($0, Phrase(stringLiteral: $0).text(in: language)) }
        let changed = sentences.filter { $0.0 != $0.1 }.map { JSON.Member($0.0, .string($0.1)) }
        return .object([JSON.Member("language", .string(language.rawValue)), JSON.Member("words", .object(changed))])
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
