// The pictures of people.
extension Limits {
    /// Bytes of a picture: enough for a face, and little beside a message.
    package static let pictureBytes = 64 * 1024
    /// Pixels of the own picture each way, by its header: whoever shows it needs 4 bytes for each.
    package static let pictureEdge = 1_024
    /// Pictures of one peer that are taken in an hour: somebody who changes it each second costs no more.
    package static let picturesTaken = 6
    /// How often a peer is given the own picture in an hour: each copy of it may ask, and links may end too early.
    package static let picturesGiven = 12
    /// How long an hour of what is counted by the hour lasts, from the first that counts.
    package static let countedHourMilliseconds: Int64 = 3_600_000
}
