import Synchronization

// What the disk has changed is restored when it is read, and never shown.
extension Store {
    /// What was damaged since the store was opened.
    struct Damage {
        var found: [MendedEvent] = []
        var tell: (@Sendable ([MendedEvent]) -> Void)?
    }

    /// Sets who is told of what was damaged, also before now. It is called on the thread that reads or writes.
    package func whenMended(_ tell: @escaping @Sendable ([MendedEvent]) -> Void) {
        let before = damage.withLock { damage in
            damage.tell = tell
            return damage.found
        }
        if !before.isEmpty { tell(before) }
    }

    /// How many events were damaged since the store was opened, and of how many of them the text was lost.
    package var damaged: (all: Int, textsLost: Int) {
        damage.withLock { ($0.found.count, $0.found.count(where: \.isTextLost)) }
    }

    func note(_ mended: [MendedEvent]) {
        guard !mended.isEmpty else { return }
        let tell = damage.withLock { damage in
            damage.found += mended
            return damage.tell
        }
        tell?(mended)
    }

    /// Runs a body again for as long as it meets rows that can be restored.
    ///
    /// - Parameter mend: restores them. It may find nothing once, because another thread was quicker.
    static func mending<Value>(
        _ body: () throws -> Value,
        _ mend: (DamagedEvent) throws -> [MendedEvent]
    ) throws -> Value {
        var isFruitless = false
        while true {
            do {
                return try body()
            } catch let damage as DamagedEvent {
                let found = try mend(damage)
                if found.isEmpty, isFruitless { throw StoreError.damaged("event row") }
                isFruitless = found.isEmpty
            }
        }
    }
}
