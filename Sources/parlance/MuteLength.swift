import ArgumentParser

/// For how long a conversation is muted, as typed: `30m`, `8h`, `2d` or `1w`.
struct MuteLength: ExpressibleByArgument {
    let seconds: Int

    private static let units: [Character: Int] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    init?(argument: String) {
        guard let last = argument.last, let unit = Self.units[last], let count = Int(argument.dropLast()), count > 0
        else { return nil }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
        if overflows { return nil }
        self.seconds = seconds
    }
}
