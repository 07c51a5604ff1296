/// A read of the store that failed and will be repeated.
struct FailedRead: Equatable, Sendable {
    var read: ReadID
    var purpose: ReadPurpose
}
