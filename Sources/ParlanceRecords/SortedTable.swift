/// A dictionary as two arrays: the keys in ascending order, and their values.
///
/// It takes the room of its entries and at most a quarter more, where a `Dictionary` has up to three buckets for each
/// entry. `SortedSet` says what it costs and what it suits. Its entries come in the order of their keys, so effects may
/// follow from iterating it.
package struct SortedTable<Key: Comparable, Value> {
    @usableFromInline var storedKeys = SortedSet<Key>()
    @usableFromInline var storedValues: [Value] = []

    @inlinable package var keys: SortedSet<Key> { storedKeys }
    @inlinable package var values: [Value] { storedValues }

    @inlinable package init() {}

    /// Of several entries with one key, the last counts.
    @inlinable package init(_ entries: some Sequence<Element>) {
        // Sorting keeps the order of equal keys.
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            if key == keys.last {
                storedValues[values.count - 1] = value
            } else {
                insert(value, for: key, at: values.count)
            }
        }
    }

    @inlinable package subscript(key: Key) -> Value? {
        get { keys.place(of: key).map { values[$0] } }
        set {
            let place = keys.first { !($0 < key) }
            let isThere = place < keys.count && keys[place] == key
            switch newValue {
            case let value? where isThere: storedValues[place] = value
            case let value?: insert(value, for: key, at: place)
            case nil where isThere: remove(at: place)
            case nil: break
            }
        }
    }

    /// The value of a key, to be changed in place; it begins with the default.
    @inlinable package subscript(key: Key, default initial: @autoclosure () -> Value) -> Value {
        get { self[key] ?? initial() }
        _modify {
            let place = keys.first { !($0 < key) }
            if place == keys.count || keys[place] != key { insert(initial(), for: key, at: place) }
            yield &storedValues[place]
        }
    }

    /// Changes the value of a key in place, if there is one.
    @inlinable package mutating func change<T>(_ key: Key, _ body: (inout Value) -> T) -> T? {
        keys.place(of: key).map { body(&storedValues[$0]) }
    }

    /// Changes each value in place.
    @inlinable package mutating func changeAll(_ body: (inout Value) -> Void) {
        for place in values.indices { body(&storedValues[place]) }
    }

    @inlinable mutating func insert(_ value: Value, for key: Key, at place: Int) {
        storedKeys.insert(key, at: place)
        storedValues.makeRoom()
        storedValues.insert(value, at: place)
    }

    @inlinable mutating func remove(at place: Int) {
        storedKeys.remove(at: place)
        storedValues.remove(at: place)
        // Give the memory back.
        if values.isEmpty { storedValues = [] }
    }

    @discardableResult
    @inlinable package mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = keys.place(of: key) else { return nil }
        defer { remove(at: place) }
        return values[place]
    }

    /// Takes the entries of another table.
    ///
    /// - Parameter choice: of a key that both tables have, chooses between the value here and the other one.
    @inlinable package mutating func merge(_ other: Self, choosing choice: (Value, Value) -> Value) {
        var new: [Element] = []
        for (key, value) in other {
            if let place = keys.place(of: key) {
                storedValues[place] = choice(values[place], value)
            } else {
                new.append((key, value))
            }
        }
        // To insert many one by one would move the later ones again and again.
        if new.count == 1 { self[new[0].key] = new[0].value } else if !new.isEmpty { self = Self(Array(self) + new) }
    }

    @inlinable package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
        var rest = Self()
        for entry in self where try isIncluded(entry) { rest.insert(entry.value, for: entry.key, at: rest.count) }
        return rest
    }
}

extension SortedTable: RandomAccessCollection {
    package typealias Element = (key: Key, value: Value)
    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { values.count }
    @inlinable package subscript(place: Int) -> Element { (keys[place], values[place]) }
}

extension SortedTable: ExpressibleByDictionaryLiteral {
    @inlinable package init(dictionaryLiteral entries: (Key, Value)...) {
        self.init(entries.map { (key: $0, value: $1) })
    }
}

extension SortedTable: Equatable where Value: Equatable {}
extension SortedTable: Sendable where Key: Sendable, Value: Sendable {}
