import Dispatch

/// Runs what takes long beside the threads that others share: one thing after the other, at low priority.
enum Aside {
    private static let queue = DispatchQueue(label: "parlance.assistant", qos: .utility)

    static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
