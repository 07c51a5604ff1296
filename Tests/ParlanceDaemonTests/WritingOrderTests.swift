import Testing

@testable import ParlanceNode

@Suite struct WritingOrderTests {
    /// No entry counts as later than one after it, whatever the clock said; what a right clock said stays.
    @Test(
        arguments: [
            ([], []), ([5], [5]), ([1, 2, 2, 7], [1, 2, 2, 7]), ([1, 900, 3, 4], [1, 3, 3, 4]),
            ([900, 800, 3], [3, 3, 3]), ([1, 2, 900], [1, 2, 900]),
        ] as [([Int64], [Int64])]
    )
    func aClockThatWasAheadPutsNothingLast(_ times: [Int64], _ moments: [Int64]) {
        #expect(WritingOrder.moments(of: times) == moments)
    }
}
