import CSodium
import Synchronization

/// Guarded pages that keys share, because pages for each of many would take too much: 64 keys take two pages of memory, where
/// `SecretBytes.Placement.guarded` takes two for one key. Between changes the pages can only be read.
enum SecretPool {
    /// The most bytes that one secret may have here.
    static let slotBytes = 64
    private static let slots = 64

    /// A page of slots.
    private struct Page {
        /// The address of its first slot.
        let base: UInt
        /// A bit for each slot that is in use.
        var used: UInt64 = 0

        var start: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: base) }

        /// Makes a change while nobody else does: the caller holds the lock.
        func change(_ body: (UnsafeMutableRawPointer) -> Void) {
            guard let start else { return }
            sodium_mprotect_readwrite(start)
            body(start)
            sodium_mprotect_readonly(start)
        }
    }

    private static let pages = Mutex<[Page]>([])

    /// The pages in use.
    static var pageCount: Int { pages.withLock { $0.count } }

    /// Copies at most `slotBytes` bytes into a slot.
    ///
    /// - Returns: the address of the slot; `nil` if the machine has no more pages.
    static func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        let source = UInt(bitPattern: bytes.baseAddress)
        let count = bytes.count
        let address: UInt? = pages.withLock { pages in
            var index = pages.firstIndex { $0.used != .max }
            if index == nil, let made = sodium_malloc(slots * slotBytes) {
                pages.append(Page(base: UInt(bitPattern: made)))
                index = pages.count - 1
            }
            guard let index else { return nil }
            let slot = (~pages[index].used).trailingZeroBitCount
            pages[index].used |= 1 << UInt64(slot)
            pages[index].change { start in
                guard let source = UnsafeRawPointer(bitPattern: source) else { return }
                (start + slot * slotBytes).copyMemory(from: source, byteCount: count)
            }
            return pages[index].base + UInt(slot * slotBytes)
        }
        return address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    }

    /// Wipes a slot, and gives its page back to the system if it was the last one.
    static func giveBack(_ slot: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: slot)
        pages.withLock { pages in
            let size = UInt(slots * slotBytes)
            guard let index = pages.firstIndex(where: { $0.base <= address && address - $0.base < size }) else {
                return
            }
            let offset = Int(address - pages[index].base)
            pages[index].change { sodium_memzero($0 + offset, slotBytes) }
            pages[index].used &= ~(1 << UInt64(offset / slotBytes))
            if pages[index].used == 0 { sodium_free(pages.remove(at: index).start) }
        }
    }
}
