/// A read of the store that failed and is to be tried again.
struct FailedRead: Equatable, Sendable {
    var read: ReadID
    var purpose: ReadPurpose
}
