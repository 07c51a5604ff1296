import ParlanceSodium
import Testing

@Suite("Start and self-test")
struct StartTests {
    @Test("The installed library starts, more than once, and is not the vulnerable one")
    func starts() throws {
        try Sodium.start()
        try Sodium.start()
        #expect(Sodium.version.hasPrefix("1."))
    }

    @Test("A library that accepts a point of mixed order is refused")
    func refusesVulnerableLibrary() {
        // The behaviour of the library before the fix: it accepts both points.
        let error = #expect(throws: SodiumError.self) { try Sodium.selfTest { _ in true } }
        #expect(error == .vulnerableLibrary(version: Sodium.version))
    }

    @Test("A library that refuses the base point is refused too")
    func refusesBrokenLibrary() {
        #expect(throws: SodiumError.self) { try Sodium.selfTest { _ in false } }
        #expect(throws: Never.self) { try Sodium.selfTest { $0 == Sodium.basePoint } }
    }

    @Test("The self-test's point is the base point with both coordinates negated")
    func mixedOrderPoint() {
        // y and y' must add up to p = 2^255 - 19, and the signs of x must differ.
        let base = Sodium.basePoint
        var other = Sodium.mixedOrderPoint
        #expect(other[31] & 0x80 == 0x80 && base[31] & 0x80 == 0)
        other[31] &= 0x7f
        var carry = 0
        let sum = zip(base, other).map { left, right in
            carry += Int(left) + Int(right)
            defer { carry >>= 8 }
            return UInt8(carry & 0xff)
        }
        #expect(sum == [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f])
    }
}
