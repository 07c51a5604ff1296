import CParlanceKernel

/// An embedding in 388 bytes: 384 whole numbers of -127 to 127, and the scale that they are multiples of.
package struct Int8Vector: Sendable, Equatable {
    /// The length of a vector as bytes: the numbers, then the scale as a little-endian Float32.
    package static let byteCount = MiniLM.dimensions + MemoryLayout<Float>.size

    package let values: [Int8]
    package let scale: Float

    /// Rounds an embedding of 384 finite numbers. What is not finite makes all of it 0.
    package init(_ floats: [Float]) {
        precondition(floats.count == MiniLM.dimensions, "an embedding has 384 numbers")
        var values = [Int8](repeating: 0, count: floats.count)
        let scale = parlance_quantise_int8(Kernel.best.choice, floats, floats.count, &values)
        self.values = values
        self.scale = scale.isFinite ? scale : 0
    }

    /// Reads what `bytes` gave; nil if the length is another or the scale no number from 0 on.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let bits = bytes.suffix(MemoryLayout<Float>.size).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        scale = Float(bitPattern: bits)
        values = bytes.prefix(MiniLM.dimensions).map(Int8.init(bitPattern:))
        guard scale.isFinite, scale >= 0 else { return nil }
    }

    /// The vector as 388 bytes.
    package var bytes: [UInt8] {
        values.map(UInt8.init(bitPattern:)) + withUnsafeBytes(of: scale.bitPattern.littleEndian, Array.init)
    }

    /// The dot product; of two embeddings it is their cosine, -1 to 1, with an error of about 0.002.
    package func dot(_ other: Int8Vector) -> Float {
        scale * other.scale * Float(parlance_dot_int8(Kernel.best.choice, values, other.values, values.count))
    }
}
