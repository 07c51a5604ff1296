import CParlanceKernel

/// Which of the two versions of the arithmetic is used.
struct Kernel {
    let choice: parlance_kernel

    /// For every machine.
    static let plain = Kernel(choice: PARLANCE_KERNEL_PLAIN)
    /// The fastest of this machine.
    static let best = Kernel(choice: parlance_kernel_best())
}
