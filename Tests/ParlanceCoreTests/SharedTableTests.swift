import Testing

@testable import ParlanceCore

@Suite struct SharedTableTests {
    @Test(arguments: 1...5) func itIsADictionary(seed: UInt64) {
        var (table, plain, random) = (SharedTable<Int64, Int64>(), [Int64: Int64](), SeededGenerator(seed: seed))
        for _ in 0..<2_000 {
            let (key, value) = (random.below(300), random.below(4))
            let isOther = plain[key] != (value == 0 ? nil : value)
            plain[key] = value == 0 ? nil : value
            #expect(table.set(value == 0 ? nil : value, for: key) == isOther)
        }
        #expect(table.count == plain.count && (Int64(0)..<300).allSatisfy { table[$0] == plain[$0] })
        #expect(Dictionary(uniqueKeysWithValues: table.entries.map { ($0.key, $0.value) }) == plain)
    }

    @Test func aCopyStaysAsItWas() {
        var table = SharedTable<Int, String>()
        for key in 0..<1_000 { table[key] = "\(key)" }
        let before = table
        table[7] = nil
        table[8] = "other"
        #expect(before[7] == "7" && before[8] == "8" && before.count == 1_000)
        #expect(table[7] == nil && table[8] == "other" && table.count == 999 && table != before)
        table[7] = "7"
        table[8] = "8"
        #expect(table == before)
    }
}
