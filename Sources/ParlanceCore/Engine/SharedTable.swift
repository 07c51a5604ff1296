/// A table whose copies share what they have in common: a change copies one of its parts, and not the whole.
///
/// Whoever keeps a copy of a large table thus costs the other little. Its entries come in no order.
struct SharedTable<Key: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
    private var parts = [[Key: Value]](repeating: [:], count: 64)

    subscript(key: Key) -> Value? {
        get { parts[place(of: key)][key] }
        set { parts[place(of: key)][key] = newValue }
    }

    private func place(of key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(parts.count)) }

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// All entries, unordered.
    var entries: [(key: Key, value: Value)] { Array(parts.joined()) }

    /// Changes the value of a key.
    ///
    /// - Returns: whether it was another one. If it was not, nothing is copied.
    mutating func set(_ value: Value?, for key: Key) -> Bool {
        guard self[key] != value else { return false }
        self[key] = value
        return true
    }
}
