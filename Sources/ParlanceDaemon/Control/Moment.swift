import Dispatch
import ParlanceControl

/// A moment on both clocks, which converts deadlines of the monotonic clock to wall time.
struct Moment {
    let monotonic: Int64
    let wall: Int64

    func time(ofMonotonic moment: Int64) -> ControlTime {
        ControlTime(milliseconds: wall + max(0, moment - monotonic))
    }
}

extension Moment {
    static func now() -> Moment {
        Moment(
            monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000),
            wall: WallClock.milliseconds()
        )
    }
}
