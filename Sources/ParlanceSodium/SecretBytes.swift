import CSodium

/// Secret memory with one owner: the language never copies it, and it is wiped when the last reference goes.
/// Arrays are copied silently and leave their contents in freed memory; therefore keys are kept here. The class is
/// immutable after its init, so it can be shared between threads.
package final class SecretBytes: Sendable {
    /// Where the bytes are kept.
    package enum Placement: Sendable {
        /// Pages of their own: locked into memory, left out of core dumps, with guard pages on both sides.
        /// For keys that live long. It takes four pages of address space, two of memory and 10 to 80 µs, so do not use
        /// it for what a stranger can make us allocate by the thousand. If the machine has no more mappings or locked
        /// memory, libsodium goes without guards and locks; if it has no more pages, `heap` is used: a key that is less
        /// well guarded is better than a node that stops.
        case guarded
        /// The ordinary heap, wiped as well. For secrets that live for one handshake.
        case heap
    }

    /// How many bytes it holds.
    package let count: Int

    /// Where the bytes actually are, after the fall-back described at `Placement.guarded`.
    package let placement: Placement

    /// Owned by this object alone and written only by its init, so it is safe to share.
    nonisolated(unsafe) private let base: UnsafeMutableRawPointer

    /// Makes `count` zero bytes and lets `fill` write them in place.
    package init(count: Int, placement: Placement = .guarded, filling fill: (UnsafeMutableRawBufferPointer) -> Void) {
        self.count = count
        if placement == .guarded, Sodium.isInitialized, let pages = sodium_malloc(count) {
            base = pages
            self.placement = .guarded
        } else {
            base = .allocate(byteCount: count, alignment: 16)
            self.placement = .heap
        }
        let buffer = UnsafeMutableRawBufferPointer(start: base, count: count)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        fill(buffer)
    }

    /// Copies bytes into secret memory; wiping the source, if it is secret, is up to the caller (`wipe`).
    package convenience init(copying bytes: [UInt8], placement: Placement = .guarded) {
        self.init(count: bytes.count, placement: placement) { $0.copyBytes(from: bytes) }
    }

    /// Makes `count` bytes from the system's random generator. Only shells may call it: pure code gets its randomness.
    package convenience init(randomCount count: Int) {
        self.init(randomCount: count, placement: .guarded)
    }

    /// Makes `count` random bytes in the given kind of memory. Only shells may call it.
    package convenience init(randomCount count: Int, placement: Placement) {
        self.init(count: count, placement: placement) { randombytes_buf($0.octets, $0.count) }
    }

    deinit {
        switch placement {
        case .guarded:
            sodium_free(base)
        case .heap:
            sodium_memzero(base, count)
            base.deallocate()
        }
    }

    /// Lends the bytes to `body`; the pointer must not leave it.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Without this the optimizer may free the object after its last use, while `body` still reads the memory.
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(start: base, count: count))
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// Shows only the number of bytes, so that secrets that reach a log by accident stay secret.
    package var description: String { "\(count) secret bytes" }

    /// Shows nothing of the content to debuggers and `dump`.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
