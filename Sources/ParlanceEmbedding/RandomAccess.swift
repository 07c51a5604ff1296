/// Bytes of which any part can be read: a file, or bytes in memory.
package protocol RandomAccess {
    var byteCount: Int { get }

    /// Fills the buffer with the bytes from `offset` on. Throws `truncated` if there are not so many.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ModelError)
}

extension RandomAccess {
    /// The bytes from `offset` on. The caller bounds `count`.
    package func bytes(at offset: Int, count: Int) throws(ModelError) -> [UInt8] {
        // Before memory is taken.
        guard contains(offset: offset, count: count) else { throw .truncated }
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.fill { buffer throws(ModelError) in try read(at: offset, into: buffer) }
        return bytes
    }

    package func contains(offset: Int, count: Int) -> Bool {
        offset >= 0 && count >= 0 && offset <= byteCount && count <= byteCount - offset
    }
}

extension [UInt8]: RandomAccess {
    package var byteCount: Int { count }

    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ModelError) {
        guard contains(offset: offset, count: buffer.count) else { throw .truncated }
        withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + buffer.count]))
        }
    }
}

extension Array {
    /// Calls the closure with the memory of the elements. It is `withUnsafeMutableBytes` with a typed error.
    package mutating func fill<Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let result = withUnsafeMutableBytes { buffer -> Result<Void, Failure> in
            do throws(Failure) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
