import CSodium

/// BLAKE2b-256 over a domain tag and content that comes piece by piece, so that a large file is never whole in memory.
///
/// libsodium's state is over-aligned, so it has memory of its own; it cannot be copied, because two copies would share it.
package struct Blake2bStream: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let domain: UInt8

    /// The alignment that libsodium asks for, in bytes.
    private static let alignment = 64

    package init(_ domain: UInt8) {
        self.domain = domain
        memory = .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: Self.alignment)
        start()
    }

    deinit { memory.deallocate() }

    private var state: OpaquePointer { OpaquePointer(memory) }

    private func start() {
        crypto_generichash_blake2b_init(state, nil, 0, Blake2b.byteCount)
        withUnsafePointer(to: domain) { _ = crypto_generichash_blake2b_update(state, $0, 1) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_generichash_blake2b_update(state, bytes.octets, UInt64(bytes.count))
    }

    /// Writes the hash of the domain tag and of everything since the last hash, and starts anew.
    ///
    /// - Parameter output: 32 bytes.
    package mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == Blake2b.byteCount, "BLAKE2b-256: 32 bytes")
        crypto_generichash_blake2b_final(state, output.octets, output.count)
        start()
    }
}
