/// A set as an array in ascending order.
///
/// It takes the room of its elements and at most a quarter more, where a `Set` has up to three buckets for each
/// element. A lookup takes logarithmic time. Adding or removing an element moves the greater ones, so it suits sets of
/// up to some thousands of elements that seldom change. To add many at once costs one sort.
package struct SortedSet<Element: Comparable> {
    private var elements: [Element] = []

    package init() {}

    package init(_ elements: some Sequence<Element>) {
        self.elements = elements.sorted()
        let isRepeated = zip(self.elements, self.elements.dropFirst()).contains { $0 == $1 }
        guard isRepeated else { return }
        self.elements = self.elements.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    package func contains(_ element: Element) -> Bool { place(of: element) != nil }

    /// Where an element is; `nil` if it is missing.
    func place(of element: Element) -> Int? {
        let place = first { !($0 < element) }
        return place < elements.count && elements[place] == element ? place : nil
    }

    /// The place from which on all elements satisfy a condition that no element before it does.
    func first(where isReached: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// - Returns: whether it was missing.
    @discardableResult
    package mutating func insert(_ element: Element) -> Bool {
        let place = first { !($0 < element) }
        guard place == elements.count || elements[place] != element else { return false }
        insert(element, at: place)
        return true
    }

    /// Inserts a missing element where it belongs.
    mutating func insert(_ element: Element, at place: Int) {
        elements.makeRoom()
        elements.insert(element, at: place)
    }

    /// - Returns: whether it was there.
    @discardableResult
    package mutating func remove(_ element: Element) -> Bool {
        guard let place = place(of: element) else { return false }
        remove(at: place)
        return true
    }

    mutating func remove(at place: Int) {
        elements.remove(at: place)
        // Give the memory back.
        if elements.isEmpty { elements = [] }
    }

    package mutating func formUnion(_ others: some Sequence<Element>) {
        let new = others.filter { !contains($0) }
        if new.count == 1 { insert(new[0]) } else if !new.isEmpty { self = Self(elements + new) }
    }

    package mutating func subtract(_ others: some Sequence<Element>) {
        for element in others { remove(element) }
    }

    /// The elements that are not in another set.
    package func subtracting(_ other: Self) -> [Element] { elements.filter { !other.contains($0) } }
}

extension SortedSet: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { elements.count }
    package subscript(place: Int) -> Element { elements[place] }
}

extension SortedSet: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension SortedSet: Equatable {}
extension SortedSet: Sendable where Element: Sendable {}

extension Array {
    /// Makes room for one more element, and for a quarter of the present ones: by itself an array doubles.
    mutating func makeRoom() {
        if count == capacity { reserveCapacity(count + 1 + count / 4) }
    }
}
