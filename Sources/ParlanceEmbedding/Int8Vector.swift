import CParlanceKernel

/// An embedding in few bytes: whole numbers of -127 to 127, and the scale that they are multiples of.
package struct Int8Vector: Sendable, Equatable {
    package let values: [Int8]
    package let scale: Float

    /// Rounds an embedding of finite numbers whose squares have the sum 1. What is not finite makes all of it 0.
    package init(_ floats: [Float]) {
        var values = [Int8](repeating: 0, count: floats.count)
        let scale = parlance_quantise_int8(Kernel.best.choice, floats, floats.count, &values)
        self.values = values
        self.scale = scale.isFinite ? scale : 0
    }

    /// Brings an embedding of finite numbers to length 1 and rounds it. One of length 0 stays so.
    package init(anyLength floats: [Float]) {
        // The square of a large Float is no Float any more.
        let length = floats.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        self.init(floats.map { length > 0 ? Float(Double($0) / length) : 0 })
    }

    /// Reads what `bytes` gave; nil if the length is another or the scale no number from 0 on.
    package init?(bytes: some Collection<UInt8>, dimensions: Int) {
        guard bytes.count == Self.byteCount(dimensions) else { return nil }
        let bits = bytes.suffix(MemoryLayout<Float>.size).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        scale = Float(bitPattern: bits)
        values = bytes.prefix(dimensions).map(Int8.init(bitPattern:))
        guard scale.isFinite, scale >= 0 else { return nil }
    }

    /// The length of a vector as bytes: the numbers, then the scale as a little-endian Float32.
    package static func byteCount(_ dimensions: Int) -> Int { dimensions + MemoryLayout<Float>.size }

    /// The vector as bytes: 388 of one with 384 numbers.
    package var bytes: [UInt8] {
        values.map(UInt8.init(bitPattern:)) + withUnsafeBytes(of: scale.bitPattern.littleEndian, Array.init)
    }

    /// The dot product with a vector of the same number of numbers; of two embeddings it is their cosine, -1 to 1, with an
    /// error of about 0.002.
    package func dot(_ other: Int8Vector) -> Float {
        precondition(values.count == other.values.count, "both have as many numbers")
        return scale * other.scale * Float(parlance_dot_int8(Kernel.best.choice, values, other.values, values.count))
    }
}
