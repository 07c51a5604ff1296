/// What hooks may cost, each with its unit and reason; `protocol/control.md` repeats them ("Hooks").
struct HookLimits: Sendable {
    /// Files in the folder that are taken as hooks: more is a mistake.
    static let files = 32
    /// Bytes of what a hook writes that come into the log at each run: some lines of an error message.
    static let outputBytes = 2_048

    /// Hooks at once. One hook runs once at a time, so that it gets its events in order.
    var atOnce = 4
    /// Events that wait for a hook: the burst of a conversation that catches up.
    var waiting = 128
    /// Runs of one hook in a row without a pause, and then one each `pause`: two bots that answer each other stay harmless.
    var burst = 60
    /// Milliseconds.
    var pause: Int64 = 1_000
    /// Milliseconds after which a hook is told to end (SIGTERM): enough for a slow network.
    var time = 30_000
    /// Milliseconds between SIGTERM and SIGKILL, and before a hook is killed when the daemon stops.
    var grace = 2_000
    /// Milliseconds between two lines of the log that say how many events hooks missed.
    var reportPause = 60_000
}
