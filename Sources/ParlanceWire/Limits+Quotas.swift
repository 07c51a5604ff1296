// How much one author may write.
extension Limits {
    /// Bytes of events of one author that are taken into one conversation in a day, unless the user says otherwise: a
    /// hundred thousand messages, and no disk in a week.
    package static let authorDayBytes: UInt64 = 200 * 1024 * 1024
    /// How long a day of that quota lasts, from the first event that counts.
    package static let quotaMilliseconds: Int64 = 86_400_000
}
