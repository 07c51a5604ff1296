/// A set as an array in ascending order.
///
/// It takes the room of its elements and at most a quarter more, where a `Set` has up to three buckets for each
/// element. A lookup takes logarithmic time. Adding or removing an element moves the greater ones, so it suits sets of
/// up to some thousands of elements that seldom change. To add many at once costs one sort. Other targets inline it: a
/// table of values by their keys is in the way of each event.
package struct SortedSet<Element: Comparable> {
    @usableFromInline var elements: [Element] = []

    @inlinable package init() {}

    @inlinable package init(_ elements: some Sequence<Element>) {
        self.elements = elements.sorted()
        let isRepeated = zip(self.elements, self.elements.dropFirst()).contains { $0 == $1 }
        guard isRepeated else { return }
        self.elements = self.elements.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    @inlinable package func contains(_ element: Element) -> Bool { place(of: element) != nil }

    /// Where an element is; `nil` if it is missing.
    @inlinable package func place(of element: Element) -> Int? {
        let place = first { !($0 < element) }
        return place < elements.count && elements[place] == element ? place : nil
    }

    /// The place from which on all elements satisfy a condition that no element before it does.
    @inlinable package func first(where isReached: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// - Returns: whether it was missing.
    @discardableResult
    @inlinable package mutating func insert(_ element: Element) -> Bool {
        let place = first { !($0 < element) }
        guard place == elements.count || elements[place] != element else { return false }
        insert(element, at: place)
        return true
    }

    /// Inserts a missing element where it belongs.
    @inlinable package mutating func insert(_ element: Element, at place: Int) {
        elements.makeRoom()
        elements.insert(element, at: place)
    }

    /// - Returns: whether it was there.
    @discardableResult
    @inlinable package mutating func remove(_ element: Element) -> Bool {
        guard let place = place(of: element) else { return false }
        remove(at: place)
        return true
    }

    @inlinable package mutating func remove(at place: Int) {
        elements.remove(at: place)
        // Give the memory back.
        if elements.isEmpty { elements = [] }
    }

    @inlinable package mutating func formUnion(_ others: some Sequence<Element>) {
        let new = others.filter { !contains($0) }
        if new.count == 1 { insert(new[0]) } else if !new.isEmpty { self = Self(elements + new) }
    }

    @inlinable package mutating func subtract(_ others: some Sequence<Element>) {
        for element in others { remove(element) }
    }

    /// The elements that are not in another set.
    @inlinable package func subtracting(_ other: Self) -> [Element] { elements.filter { !other.contains($0) } }
}

extension SortedSet: RandomAccessCollection {
    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { elements.count }
    @inlinable package subscript(place: Int) -> Element { elements[place] }
}

extension SortedSet: ExpressibleByArrayLiteral {
    @inlinable package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension SortedSet: Equatable {}
extension SortedSet: Sendable where Element: Sendable {}

extension Array {
    /// Makes room for one more element, and for a quarter of the present ones: by itself an array doubles.
    @inlinable package mutating func makeRoom() {
        if count == capacity { reserveCapacity(count + 1 + count / 4) }
    }
}
