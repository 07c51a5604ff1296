import ParlanceSodium
package import ParlanceWire

/// What two people compare, by voice or by eye, to know that nobody stands between their nodes (verification.md).
package struct SafetyNumber: Equatable, Sendable {
    /// The version of the construction; it is hashed, and stands in the code that is scanned.
    package static let version: UInt16 = 1
    /// How often each half is hashed: Signal's number, which makes a half that looks alike costly to search for.
    static let rounds = 5_200

    /// 60 decimal digits, the same on both sides.
    package let digits: String

    /// Takes about 10 ms: not for the engine's queue.
    package init(_ one: PeerID, _ other: PeerID) {
        digits = [one, other].map { Self.half(of: $0.bytes) }.sorted().joined()
    }

    /// The digits in 12 groups of 5.
    package var groups: [String] {
        stride(from: 0, to: digits.count, by: 5).map { String(digits.dropFirst($0).prefix(5)) }
    }

    /// One identity's 30 digits, by the construction of Signal (libsignal, `fingerprint.rs`).
    ///
    /// - Parameter name: Signal hashes a telephone number there; we hash none, since names prove nothing.
    package static func half(of key: [UInt8], name: [UInt8] = [], version: UInt16 = Self.version) -> String {
        var hash = [UInt8(version >> 8), UInt8(version & 0xFF)] + key + name
        for _ in 0..<rounds { hash = SHA512.hash(hash, key) }
        return stride(from: 0, to: 30, by: 5).map { start in
            let number = hash[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
            return String(String(100_000 + number).dropFirst())
        }.joined()
    }
}

/// What a QR code carries, so that a scan compares whole identities instead of digits (verification.md, "The code").
package enum VerificationCode {
    private static let mark = "PARLANCE"

    /// What a scanned text says of two identities.
    package enum Finding: Equatable, Sendable {
        /// It is the peer's own code, and carries the identities that are known here.
        case same
        /// It is a code of this version with other identities: somebody may stand in between.
        case different
        /// It is the code that this node shows itself.
        case own
        /// It is no such code, or of another version.
        case foreign
    }

    /// The text that `shower` shows to `reader`: upper case, so that a QR code takes it in its compact mode.
    package static func text(of shower: PeerID, for reader: PeerID) -> String {
        [mark, "\(SafetyNumber.version)", compact(shower), compact(reader)].joined(separator: ":")
    }

    /// Compares what was scanned from `peer` with what is known here.
    package static func compare(_ scanned: String, from peer: PeerID, to own: PeerID) -> Finding {
        let parts = scanned.filter { !$0.isWhitespace }.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].uppercased() == mark, parts[1] == "\(SafetyNumber.version)",
            let shower = PeerID(text: String(parts[2])), let reader = PeerID(text: String(parts[3]))
        else { return .foreign }
        if (shower, reader) == (peer, own) { return .same }
        return (shower, reader) == (own, peer) ? .own : .different
    }

    private static func compact(_ id: PeerID) -> String {
        id.grouped.filter { $0 != " " }.uppercased()
    }
}
