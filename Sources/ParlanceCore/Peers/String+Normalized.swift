import CUtf8proc

// The normalization forms of Unicode (Unicode Standard Annex 15), by the library utf8proc. Foundation has them too, with
// 38 MiB of tables for languages that nothing here needs.
extension String {
    /// Normalization Form C: each letter with its accents as one character where there is one.
    package var composed: String { normalized(UTF8PROC_STABLE, UTF8PROC_COMPOSE) }

    /// Normalization Form KD: letters and accents apart, and plain letters in place of their variants.
    package var compatiblyDecomposed: String { normalized(UTF8PROC_STABLE, UTF8PROC_DECOMPOSE, UTF8PROC_COMPAT) }

    private func normalized(_ options: utf8proc_option_t...) -> String {
        // ASCII is the same in every form.
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        let chosen = utf8proc_option_t(rawValue: options.reduce(0) { $0 | $1.rawValue })
        var text = self
        return text.withUTF8 { bytes in
            var found: UnsafeMutablePointer<UInt8>?
            let count = utf8proc_map(bytes.baseAddress, bytes.count, &found, chosen)
            defer { free(found) }
            // It fails only without memory: a String is always valid UTF-8.
            guard count >= 0, let found else { return String(decoding: bytes, as: UTF8.self) }
            return String(decoding: UnsafeBufferPointer(start: found, count: count), as: UTF8.self)
        }
    }
}
