import CSodium

/// Secret memory with one owner: the language never copies it, and it is wiped when the last reference goes.
/// Arrays are copied silently and leave their contents in freed memory; therefore keys are kept here. The class is
/// immutable after its init, so it can be shared between threads.
package final class SecretBytes: Sendable {
    /// Where the bytes are kept.
    package enum Placement: Sendable {
        /// Pages of their own: locked into memory, left out of core dumps, read-only, with guard pages on both sides.
        /// For keys that live long. It takes four pages of address space, two of memory and 10 to 80 µs, so do not use
        /// it for what a stranger can make us allocate by the thousand. If the machine has no more mappings or locked
        /// memory, libsodium goes without guards and locks; if it has no more pages, `heap` is used: a key that is less
        /// well guarded is better than a node that stops.
        case guarded
        /// A slot in guarded pages that it shares with other keys (`SecretPool`), for at most 64 bytes. For keys that live
        /// for days and of which there are many.
        case pooled
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
            Self.fill(pages, count, fill)
            sodium_mprotect_readonly(pages)
            return
        }
        let draft = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        Self.fill(draft, count, fill)
        if placement == .pooled, Sodium.isInitialized, count <= SecretPool.slotBytes,
            let slot = SecretPool.keep(UnsafeRawBufferPointer(start: draft, count: count))
        {
            base = slot
            self.placement = .pooled
            Self.discard(draft, count)
        } else {
            base = draft
            self.placement = .heap
        }
    }

    private static func fill(
        _ start: UnsafeMutableRawPointer,
        _ count: Int,
        _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        let buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        body(buffer)
    }

    private static func discard(_ start: UnsafeMutableRawPointer, _ count: Int) {
        sodium_memzero(start, count)
        start.deallocate()
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
        case .pooled:
            SecretPool.giveBack(base)
        case .heap:
            Self.discard(base, count)
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
