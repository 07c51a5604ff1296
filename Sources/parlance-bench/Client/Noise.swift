import Foundation

/// Bytes that no program can make smaller. The same seed gives the same.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func block(_ count: Int) -> Data {
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        for index in words.indices {
            state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
            words[index] = state ^ (state >> 29)
        }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
