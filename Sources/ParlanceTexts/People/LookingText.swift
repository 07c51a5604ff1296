package import ParlanceControl
package import ParlanceWords

extension NodeStatus {
    /// `looking for people for 3 s`, while nobody is in sight because discovery has just begun; otherwise `nil`.
    package func looking(at now: ControlTime) -> Phrase? {
        guard counts.nearby + counts.connected == 0, discovery.state == .running, let since = discovery.since
        else { return nil }
        let time = now.milliseconds - since.milliseconds
        guard (0..<ControlLimits.lookingMilliseconds).contains(time) else { return nil }
        return Phrase("looking for people for \(DurationText.words(time / 1_000))")
    }
}
