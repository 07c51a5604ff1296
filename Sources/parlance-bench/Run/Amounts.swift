/// The number of rounds, messages and other things that a run measures.
struct Amounts {
    var rounds = 5
    /// Messages of one round, one at a time.
    var latency = 1_000
    /// Messages of one round, in a stream.
    var throughput = 50_000
    /// Unanswered requests at a time in a stream.
    var window = 1_000
    /// Keys that are typed on the chat screen.
    var keys = 1_000
    /// Messages for the count of bytes.
    var costed = 500
    var catchUpRounds = 3
    /// Messages that a peer misses.
    var missed = 100_000
    /// Messages of a long conversation.
    var long = 1_000_000
    /// Messages that are searched, in addition.
    var searched = 1_000_000
    var starts = 5
    var idleSeconds = 30
    var pages = 21
    var commands = 51
    var attackSeconds = 20
    var connections = 10_000
    /// Announcements a second.
    var announced = 10_000
    var members = 50
    /// Messages written while one half of a group does not reach the other.
    var cut = 1_000
    var authors = 256
    /// Messages of two authors, and messages of that many.
    var pair = 1_024
    var written = 128
    var toxRounds = 3
    /// The size of a large file, and how many small ones are sent.
    var fileMegabytes = 1_024
    var fileRounds = 3
    var smallFiles = 1_000
    /// Scans of all embeddings.
    var scans = 101
    /// Messages that the assistant reads.
    var read = 5_000
    /// Whether to wait until the assistant drops its model, which takes it minutes.
    var waitsForDrop = true

    static let full = Amounts()

    static let quick = Amounts(
        rounds: 3,
        latency: 300,
        throughput: 10_000,
        keys: 300,
        costed: 200,
        catchUpRounds: 1,
        missed: 30_000,
        long: 200_000,
        searched: 100_000,
        idleSeconds: 10,
        attackSeconds: 8,
        members: 20,
        cut: 300,
        authors: 50,
        toxRounds: 1,
        fileMegabytes: 128,
        fileRounds: 1,
        smallFiles: 200,
        scans: 31,
        read: 2_000,
        waitsForDrop: false
    )
}
