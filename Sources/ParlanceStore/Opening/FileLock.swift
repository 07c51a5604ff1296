import CParlanceSystem

/// The advisory lock of an open file.
package enum FileLock {
    /// Takes it, and waits while another process has it.
    ///
    /// - Returns: `false` if that fails; `errno` says why.
    package static func wait(for descriptor: Int32) -> Bool {
        parlance_wait_for_lock(descriptor) == 0
    }
}
