import ParlanceControl

extension DaemonError {
    /// The lines for standard error.
    package var lines: String {
        "parlanced: \(message)\n" + (advice.isEmpty ? "" : "  \(advice)\n")
    }

    /// The same for programs, in the form in which `parlance --json` reports an error.
    package var json: String {
        let failure = ControlFailure(code: ControlError.Code.invalidValue.rawValue, message: message, advice: advice)
        let error = (try? JSONValueEncoder.encode(failure)) ?? .string(message)
        return JSONWriter.text(.object([.init("error", error)]))
    }
}
