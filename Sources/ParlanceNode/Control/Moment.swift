import Dispatch
import ParlanceControl
import ParlanceCore

/// A moment on both clocks, which converts deadlines of the monotonic clock to wall time.
package struct Moment {
    package let monotonic: Int64
    let wall: Int64

    func time(ofMonotonic moment: Int64) -> ControlTime {
        ControlTime(milliseconds: wall + max(0, moment - monotonic))
    }
}

extension Instant {
    /// A moment of the past on both clocks.
    ///
    /// - Parameter wall: milliseconds since 1970; `nil`, or a time to come, is now.
    package init(wall: Int64?, _ now: Moment) {
        let ago = max(0, now.wall - (wall ?? now.wall))
        self.init(monotonic: now.monotonic - ago, wall: now.wall - ago)
    }
}

extension Moment {
    package static func now() -> Moment {
        Moment(
            monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000),
            wall: WallClock.milliseconds()
        )
    }
}
