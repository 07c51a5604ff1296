/// The progress of a run, for the user who waits for a long one.
package struct RunProgress: Sendable {
    /// Milliseconds of virtual time since the beginning, and until the faults stop.
    let time: Int64
    let length: Int64
    let acts: Int
    let actsInAll: Int
    let frames: Int

    package var line: String {
        "\(Trace.clock(time).prefix(5)) of \(Trace.clock(length).prefix(5)), \(acts) of \(actsInAll) acts, \(frames) frames"
    }
}
