import ParlanceRecords
import Testing

@testable import ParlanceCore

/// The sorted collections say what a set and a dictionary say, in order, and take little more room than their elements.
@Suite struct SortedTableTests {
    @Test(arguments: 1...10) func aTableSaysWhatADictionarySays(seed: UInt64) {
        var (table, model, random) = (SortedTable<UInt, [Int]>(), [UInt: [Int]](), SeededGenerator(seed: seed))
        func number(below bound: Int64) -> UInt { UInt(random.below(bound)) }
        for step in 1...400 {
            let key = number(below: 40)
            switch number(below: 8) {
            case 0, 1:
                table[key] = [step]
                model[key] = [step]
            case 2:
                table[key] = nil
                model[key] = nil
            case 3:
                let removed = table.removeValue(forKey: key)
                #expect(removed == model.removeValue(forKey: key), "seed \(seed)")
            case 4:
                table[key, default: [0]].append(step)
                model[key, default: [0]].append(step)
            case 5:
                let count = table.change(key) { values in
                    values.append(step)
                    return values.count
                }
                model[key]?.append(step)
                #expect(count == model[key]?.count, "seed \(seed)")
            case 6:
                let others = (0..<number(below: 4)).map { _ in (key: number(below: 40), value: [step]) }
                table.merge(SortedTable(others)) { $0 + $1 }
                model.merge(Dictionary(others) { $1 }) { $0 + $1 }
            default:
                let rest = table.filter { $0.key % 7 != key % 7 }
                #expect(Array(rest.keys) == model.keys.filter { $0 % 7 != key % 7 }.sorted(), "seed \(seed)")
                table.changeAll { $0 = $0.suffix(3) }
                model = model.mapValues { $0.suffix(3) }
            }
            #expect(Array(table.keys) == model.keys.sorted() && table.count == model.count, "seed \(seed)")
            #expect(table.allSatisfy { model[$0.key] == $0.value }, "seed \(seed)")
            #expect(table[key] == model[key] && table == SortedTable(model), "seed \(seed)")
        }
    }

    @Test(arguments: 1...10) func aSortedSetSaysWhatASetSays(seed: UInt64) {
        var (sorted, model, random) = (SortedSet<UInt>(), Set<UInt>(), SeededGenerator(seed: seed))
        func number(below bound: Int64) -> UInt { UInt(random.below(bound)) }
        for _ in 1...400 {
            let element = number(below: 40)
            let others = (0..<number(below: 4)).map { _ in number(below: 40) }
            switch number(below: 4) {
            case 0:
                let isNew = sorted.insert(element)
                #expect(isNew == model.insert(element).inserted, "seed \(seed)")
            case 1:
                let wasThere = sorted.remove(element)
                #expect(wasThere == (model.remove(element) != nil), "seed \(seed)")
            case 2:
                sorted.formUnion(others)
                model.formUnion(others)
            default:
                sorted.subtract(others)
                model.subtract(others)
            }
            #expect(Array(sorted) == model.sorted() && sorted == SortedSet(model), "seed \(seed)")
            #expect(sorted.contains(element) == model.contains(element), "seed \(seed)")
            #expect(sorted.subtracting(SortedSet(others)) == model.subtracting(others).sorted(), "seed \(seed)")
            #expect(sorted.first { $0 >= element } == model.count { $0 < element }, "seed \(seed)")
        }
    }

    @Test func ofEntriesWithOneKeyTheLastCounts() {
        let table = SortedTable([(key: "2", value: "a"), (key: "1", value: "b"), (key: "2", value: "c")])
        #expect(table.map(\.value) == ["b", "c"])
    }

    @Test func aTableTakesAtMostAQuarterMoreThanItsEntries() {
        var table: SortedTable<UInt, UInt> = [:]
        for key in UInt(1)...1_000 {
            table[key] = key
            #expect(table.values.capacity <= 8 + table.count * 5 / 4, "of \(key)")
        }
        for key in UInt(1)...1_000 { table[key] = nil }
        #expect(table.values.capacity == 0, "an empty one takes nothing")
    }
}
