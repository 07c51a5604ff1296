import ParlanceSodium
package import ParlanceWire

/// What two people compare, by voice or by eye, to verify that nobody intercepts the traffic between their nodes
/// (verification.md, "The safety number").
package struct SafetyNumber: Equatable, Sendable {
    /// The version of the construction: it is hashed, and stands in the scanned code.
    package static let version: UInt16 = 1
    /// The number of hash rounds for each half: Signal's number. It makes searching for a similar half costly.
    static let rounds = 5_200

    /// 60 decimal digits, the same on both sides.
    package let digits: String

    /// Computes the number. This takes about 10 ms, so do not call it on the engine's queue.
    package init(_ one: PeerID, _ other: PeerID) {
        digits = [one, other].map { Self.half(of: $0.bytes) }.sorted().joined()
    }

    /// The digits in 12 groups of 5.
    package var groups: [String] {
        stride(from: 0, to: digits.count, by: 5).map { String(digits.dropFirst($0).prefix(5)) }
    }

    /// Computes one identity's 30 digits, by the construction of Signal (libsignal, `fingerprint.rs`).
    ///
    /// - Parameter name: Signal hashes a telephone number here. This node uses none, since names prove nothing.
    package static func half(of key: [UInt8], name: [UInt8] = [], version: UInt16 = Self.version) -> String {
        var hash = [UInt8(version >> 8), UInt8(version & 0xFF)] + key + name
        for _ in 0..<rounds { hash = SHA512.hash(hash, key) }
        return stride(from: 0, to: 30, by: 5).map { start in
            let number = hash[start..<start + 5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000
            return String(String(100_000 + number).dropFirst())
        }.joined()
    }
}

/// The content of a QR code, so that a scan compares whole identities instead of digits (verification.md, "The code").
package enum VerificationCode {
    private static let mark = "PARLANCE"

    /// The result of comparing a scanned code with two identities.
    package enum Finding: Equatable, Sendable {
        /// The peer's code, with the identities that are known here.
        case same
        /// A code of this version with other identities: somebody may be intercepting.
        case different
        /// The code that this node shows itself.
        case own
        /// Not a code of this kind, or one of another version.
        case foreign
    }

    /// The text that `shower` shows to `reader`. Upper case permits the compact mode of QR codes.
    package static func text(of shower: PeerID, for reader: PeerID) -> String {
        [mark, "\(SafetyNumber.version)", compact(shower), compact(reader)].joined(separator: ":")
    }

    /// Compares the text scanned from `peer` with the identities known here.
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
