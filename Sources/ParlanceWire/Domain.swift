/// The 1-byte tags with which everything hashed or signed begins, so that bytes made for one use fit no other
/// (identity.md, "Domains").
package enum Domain {
    package static let certificate: UInt8 = 0x01
    package static let headSignature: UInt8 = 0x02
    package static let header: UInt8 = 0x03
    package static let body: UInt8 = 0x04
    package static let directConversation: UInt8 = 0x05
    package static let clock: UInt8 = 0x06
    package static let watermark: UInt8 = 0x07
    package static let contactAnswer: UInt8 = 0x08
    package static let group: UInt8 = 0x09
    package static let membership: UInt8 = 0x0A
    package static let branch: UInt8 = 0x0B
    package static let workspace: UInt8 = 0x0C
    package static let prekey: UInt8 = 0x0D
    package static let envelope: UInt8 = 0x0E
    package static let envelopeKey: UInt8 = 0x0F
    package static let taken: UInt8 = 0x10
    package static let keySource: UInt8 = 0x11
    package static let addresses: UInt8 = 0x12
    package static let backup: UInt8 = 0x13
    package static let parcelName: UInt8 = 0x14
    package static let parcel: UInt8 = 0x15
    package static let parcelLoad: UInt8 = 0x16
    package static let parcelState: UInt8 = 0x17
    package static let fileLeaf: UInt8 = 0x18
    package static let fileRoot: UInt8 = 0x19
    package static let sealedFileName: UInt8 = 0x1A
    package static let sealedFileSecret: UInt8 = 0x1B
    package static let sealedFileKey: UInt8 = 0x1C
    package static let sealedFileMark: UInt8 = 0x1D
    package static let picture: UInt8 = 0x1E
    package static let pictureSignature: UInt8 = 0x1F
    package static let charter: UInt8 = 0x20
    package static let charterLog: UInt8 = 0x21
    package static let invitation: UInt8 = 0x22
    package static let invitationProof: UInt8 = 0x23
}
