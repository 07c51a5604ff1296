/// Asks what belongs into one slot of a stick (carry.md, "Packing").
package struct ParcelRequest: Equatable, Sendable {
    /// The recipient, as typed.
    package var who: String
    /// 0 to `Limits.parcelSlots` - 1.
    package var slot: Int
    package var start: Start
    /// The file that is in the slot, if there is one.
    package var existing: [UInt8]?
    /// The files that lie sealed on the stick for the recipient, at most `Limits.sealedFileSlots`: the same for each slot.
    package var files: [CarriedFile]

    package enum Start: Equatable, Sendable {
        /// The first parcel: with prekeys and receipts.
        case first
        case after(ParcelCursor)
        /// Everything is packed: what is left in the slot may be of no more use.
        case end
    }

    package init(who: String, slot: Int, start: Start, existing: [UInt8]?, files: [CarriedFile] = []) {
        (self.who, self.slot, self.start, self.existing, self.files) = (who, slot, start, existing, files)
    }
}
