/// A hash of a text that is the same in every process, which that of the standard library is not: FNV-1a, 64 bits
/// (draft-eastlake-fnv). It tells texts apart, and proves nothing.
package enum StableHash {
    package static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
