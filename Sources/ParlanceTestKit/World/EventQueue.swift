/// Scheduled events, the earliest first; events due at the same time come in the order in which they were scheduled.
///
/// A binary heap: an office of twenty keeps thousands of entries.
struct EventQueue<Element> {
    private struct Entry {
        var time: Int64
        var order: UInt64
        var element: Element

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    private var heap: [Entry] = []
    private var order: UInt64 = 0

    var nextTime: Int64? { heap.first?.time }
    var count: Int { heap.count }

    mutating func add(_ element: Element, at time: Int64) {
        order += 1
        heap.append(Entry(time: time, order: order, element: element))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> (time: Int64, element: Element)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return (first.time, first.element) }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { break }
            heap.swapAt(parent, least)
            parent = least
        }
        return (first.time, first.element)
    }
}
