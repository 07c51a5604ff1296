import ParlanceSodium
import ParlanceWire

/// How long a sealed file is, and how it is cut (carry.md, "Sealed files"). Everything follows from the size of the file.
package struct SealedFileShape: Equatable, Sendable {
    /// Bytes of the file.
    package let size: UInt64
    /// Bytes that are sealed: those of the file, and zeros behind them.
    package let padded: UInt64

    /// Bytes before the first piece: the mark, and the header of the stream.
    package static let headBytes = Bytes32.count + SecretStream.headerByteCount

    /// - Throws: `tooLarge` for more than `Limits.fileBytes`.
    package init(size: UInt64) throws(FileFault) {
        guard size <= Limits.fileBytes else { throw .tooLarge }
        self.size = size
        padded = Self.padded(max(size, UInt64(Limits.sealedPieceBytes)))
    }

    /// Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019): as many
    /// significant bits as it takes to write down how many bits there are. It adds at most 12 %, less to large files.
    private static func padded(_ size: UInt64) -> UInt64 {
        let exponent = UInt64.bitWidth - 1 - size.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (UInt64(1) << UInt64(max(0, exponent - significant))) - 1
        return (size + mask) & ~mask
    }

    /// How many pieces there are: one at least.
    package var count: Int { Int((padded + UInt64(Limits.sealedPieceBytes) - 1) / UInt64(Limits.sealedPieceBytes)) }

    /// Bytes of a piece before it is sealed; 0 if there is no such piece.
    package func length(of piece: Int) -> Int { part(of: piece, padded) }

    /// Bytes of the file in a piece; the rest of it are zeros.
    package func content(of piece: Int) -> Int { part(of: piece, size) }

    /// Bytes of a piece as it lies on the stick.
    package func sealedLength(of piece: Int) -> Int { length(of: piece) + SecretStream.overhead }

    /// Bytes of the sealed file.
    package var byteCount: UInt64 { UInt64(Self.headBytes) + padded + UInt64(count * SecretStream.overhead) }

    /// Where a piece begins in the sealed file.
    package func offset(of piece: Int) -> UInt64 {
        UInt64(Self.headBytes) + UInt64(clamping: piece) * UInt64(Limits.sealedPieceBytes + SecretStream.overhead)
    }

    private func part(of piece: Int, _ whole: UInt64) -> Int {
        let start = UInt64(clamping: piece).multipliedReportingOverflow(by: UInt64(Limits.sealedPieceBytes))
        guard piece >= 0, !start.overflow, start.partialValue < whole else { return 0 }
        return Int(min(UInt64(Limits.sealedPieceBytes), whole - start.partialValue))
    }
}
