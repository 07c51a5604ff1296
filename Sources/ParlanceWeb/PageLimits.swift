/// The limits of the local page (protocol/page.md, "Limits").
package enum PageLimits {
    /// The port that is tried first.
    package static let preferredPort: UInt16 = 7673
    /// Connections at once: a browser opens six for each tab at most.
    static let connections = 128
    /// Bytes of all headers of a request: a cookie, and what browsers send.
    static let headerBytes = 16 << 10
    /// How long a connection without a request stays open.
    static let idleSeconds: Int64 = 60
    /// How long what a client still sends is dropped after the last response of a connection: a moment, so that it reads that
    /// response before the connection is reset.
    static let drainSeconds: Int64 = 2
    /// How long the server waits before it is started again, if it ended: whoever had the port may be gone then.
    static let pauseSeconds: Int64 = 30
    /// How long a launch link works: a slow browser starts in less.
    static let launchSeconds: Int64 = 300
    /// Launch links that wait to be used: more come only from a runaway program.
    static let launches = 16
    /// Browsers that are let in; the one that was away longest goes.
    static let sessions = 32
    /// How long a browser is let in after its last use.
    static let sessionSeconds: Int64 = 30 * 86_400
    /// Between two notes of that use on the disk.
    static let sessionNoteSeconds: Int64 = 86_400
    /// Bytes of the file that keeps them.
    static let sessionFileBytes = 64 << 10
    /// Events that are kept for pages that lost their stream or are slow: a minute of a busy office.
    static let keptEvents = 4_096
    /// Their estimated bytes.
    static let keptBytes = 4 << 20
    /// Streams at once: tabs of all browsers.
    static let streams = 64
    /// Between two comments in a silent stream: they tell both sides that the other one is there.
    static let beatSeconds: Int64 = 15
    /// Bytes of a name in a request.
    static let nameBytes = 1_024
    /// Uploads at once: a page sends its files one after another.
    static let uploads = 4
    /// Threads that read and write files: two for each upload, and two for all else.
    static let threads = 2 * uploads + 2
    /// Bytes of a file that are read and sent at once.
    static let pieceBytes = 256 << 10
}
