/// What to do with one slot of a stick, once it is durable here.
package struct PackedParcel: Equatable, Sendable {
    package var action: Action
    /// How the next slot begins; `end` if everything is packed.
    package var next: ParcelRequest.Start
    /// Messages in the parcel that the peer is not known to hold.
    package var messages = 0
    /// Whether the peer's prekeys are here. If not, the parcel carries only ours, and nothing for it to read.
    package var isSealed: Bool

    package enum Action: Equatable, Sendable {
        case write([UInt8])
        /// The file holds the same already.
        case keep
        /// The file is a parcel of an earlier copy of this node and may still be of use: leave it, and use another slot.
        case leave
        /// The file is of no use.
        case remove
        /// There is nothing for the slot, and nothing in it.
        case none
    }
}
