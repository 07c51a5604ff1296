import ParlanceErrorCode
import ParlanceWords

extension ControlError {
    /// A picture of a person is too large.
    package static let largePicture = ControlError(
        .invalidValue,
        "The picture is too large: 64 KiB at most, and 1,024 pixels each way.",
        advice:
            "Nothing was changed. Choose it on the page, which makes it small (parlance open), or make it smaller with another program."
    )
}
