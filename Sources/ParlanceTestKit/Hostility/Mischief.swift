/// What a hostile member does besides what its engine does. Each is counted by its name.
package enum Mischief: String, CaseIterable, Sendable {
    // Membership.
    case voidChanges, voidChangesByInvitation, removalOfAll, changesThatWait, departures, madeUpGroup
    // Clocks.
    case madeUpLogs, logsOfMadeUpPeople, madeUpSummary, repeatedSummary, repeatedEntries, falseClock, falseHoldings
    // Requests.
    case repeatedWants, repeatedBodyRequests, unaskedBodies
    // Events.
    case fork, forkOfOwnLog, forkOfBranch, forkProof, manyForkProofs, falseForkProof
    case wrongSignature, wrongPredecessor, gapInSequence, unsignedRun, repeatedRun, forgedAuthor
    case largeTexts, manyTexts, farTimes, madeUpDependencies, oddEvents
    case deletionsOfOthers, editsOfOthers, reactionsToOthers, withdrawals
    // Receipts.
    case falseReceipts, receiptsOfMadeUpCopies, receiptsOfOthers
    // Couriers.
    case deposits, depositsForMadeUpPeople, falseAnswersOfCouriers, falsePrekeys, falseEnvelopes
    // Workspaces.
    case unsignedAddresses, staleAddresses, addressesOfMadeUpPeople, oldKey, nextKey, farKey
    // The charter of a workspace.
    case voidCharterChanges, charterChangesThatWait, forgedCharterChanges, oddCharterEvents, repeatedCharterEvents
    case endlessCharter, madeUpCharters
    // People.
    case contactRequests, falseContactAnswers, falsePicture, unaskedPicture, names
    // Files.
    case mentionsOfNoFile, falseFileOffers, fileRequests, unaskedPieces
    // What a peer says of itself.
    case behind, full, refusals, typing, dialBacks, secondHello

    /// The salt of an act that means the kind at an index.
    static func salt(_ index: Int, _ random: UInt64) -> UInt64 {
        let count = UInt64(allCases.count)
        return (random >> 1) / count * count + UInt64(index)
    }

    /// The kind that a salt means.
    init(salt: UInt64) { self = Self.allCases[Int(salt % UInt64(Self.allCases.count))] }
}
