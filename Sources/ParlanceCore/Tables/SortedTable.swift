/// A dictionary as two arrays: the keys in ascending order, and their values.
///
/// It takes the room of its entries and at most a quarter more, where a `Dictionary` has up to three buckets for each
/// entry. `SortedSet` says what it costs and what it suits. Its entries come in the order of their keys, so effects may
/// follow from iterating it.
package struct SortedTable<Key: Comparable, Value> {
    package private(set) var keys = SortedSet<Key>()
    package private(set) var values: [Value] = []

    package init() {}

    /// Of several entries with one key, the last counts.
    package init(_ entries: some Sequence<Element>) {
        // Sorting keeps the order of equal keys.
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            if key == keys.last { values[values.count - 1] = value } else { insert(value, for: key, at: values.count) }
        }
    }

    package subscript(key: Key) -> Value? {
        get { keys.place(of: key).map { values[$0] } }
        set {
            let place = keys.first { !($0 < key) }
            let isThere = place < keys.count && keys[place] == key
            switch newValue {
            case let value? where isThere: values[place] = value
            case let value?: insert(value, for: key, at: place)
            case nil where isThere: remove(at: place)
            case nil: break
            }
        }
    }

    /// The value of a key, to be changed in place; it begins with the default.
    package subscript(key: Key, default initial: @autoclosure () -> Value) -> Value {
        get { self[key] ?? initial() }
        _modify {
            let place = keys.first { !($0 < key) }
            if place == keys.count || keys[place] != key { insert(initial(), for: key, at: place) }
            yield &values[place]
        }
    }

    /// Changes the value of a key in place, if there is one.
    package mutating func change<T>(_ key: Key, _ body: (inout Value) -> T) -> T? {
        keys.place(of: key).map { body(&values[$0]) }
    }

    /// Changes each value in place.
    package mutating func changeAll(_ body: (inout Value) -> Void) {
        for place in values.indices { body(&values[place]) }
    }

    private mutating func insert(_ value: Value, for key: Key, at place: Int) {
        keys.insert(key, at: place)
        values.makeRoom()
        values.insert(value, at: place)
    }

    private mutating func remove(at place: Int) {
        keys.remove(at: place)
        values.remove(at: place)
        // Give the memory back.
        if values.isEmpty { values = [] }
    }

    @discardableResult
    package mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = keys.place(of: key) else { return nil }
        defer { remove(at: place) }
        return values[place]
    }

    /// Takes the entries of another table.
    ///
    /// - Parameter choice: of a key that both tables have, chooses between the value here and the other one.
    package mutating func merge(_ other: Self, choosing choice: (Value, Value) -> Value) {
        var new: [Element] = []
        for (key, value) in other {
            if let place = keys.place(of: key) {
                values[place] = choice(values[place], value)
            } else {
                new.append((key, value))
            }
        }
        // To insert many one by one would move the later ones again and again.
        if new.count == 1 { self[new[0].key] = new[0].value } else if !new.isEmpty { self = Self(Array(self) + new) }
    }

    package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
        var rest = Self()
        for entry in self where try isIncluded(entry) { rest.insert(entry.value, for: entry.key, at: rest.count) }
        return rest
    }
}

extension SortedTable: RandomAccessCollection {
    package typealias Element = (key: Key, value: Value)
    package var startIndex: Int { 0 }
    package var endIndex: Int { values.count }
    package subscript(place: Int) -> Element { (keys[place], values[place]) }
}

extension SortedTable: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral entries: (Key, Value)...) { self.init(entries.map { (key: $0, value: $1) }) }
}

extension SortedTable: Equatable where Value: Equatable {}
extension SortedTable: Sendable where Key: Sendable, Value: Sendable {}
