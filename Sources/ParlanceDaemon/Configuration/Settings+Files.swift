import ParlanceNode
import ParlanceWire

extension Settings {
    /// Without an end.
    static let noQuota = UInt64.max

    /// Bytes of a file that is sent or fetched: a film, and hashing it takes seconds.
    static let usualFileLimit: UInt64 = 4 << 30
    /// Bytes of all files.
    static let usualFileQuota: UInt64 = 20 << 30

    static let autoFetchSizes = 1...Limits.fileBytes
    static let fileLimits = 1...Limits.fileBytes
    static let fileQuotas: ClosedRange<UInt64> = (1 << 20)...(1 << 50)
    static let messageQuotas: ClosedRange<UInt64> = (1 << 20)...(1 << 50)
    /// Bytes a second.
    static let fileRates = Limits.leastFileRate...Limits.fileBytes

    /// What the shelf of files may hold.
    var fileAllowance: ShelfService.Allowance {
        ShelfService.Allowance(fileLimit: fileLimit, quota: fileQuota == Self.noQuota ? nil : fileQuota)
    }

    /// The most bytes of messages of one author in one conversation and day; `nil`: no limit.
    var authorDayBytes: UInt64? { messageQuota == Self.noQuota ? nil : messageQuota }

    /// The most bytes of a file that is fetched without being asked for; 0: none is.
    var autoFetchBytes: UInt64 { min(autoFetch, fileLimit) }
}
