import Testing

@testable import parlance

/// Lists that are not UTF-8.
@Suite struct SpreadsheetTextTests {
    @Test func aListThatIsPartlyUTF8IsFound() {
        let (wide, narrow): ([UInt8], [UInt8]) = (Array("Zo\u{EB}\n".utf8), [0x5A, 0x6F, 0xEB, 0x0A])
        #expect(SpreadsheetText.lineThatIsNot(utf8: narrow + wide) == 1)
        #expect(SpreadsheetText.lineThatIsNot(utf8: wide + narrow + narrow) == 2)
        // One that was cut in the middle of a character.
        #expect(SpreadsheetText.lineThatIsNot(utf8: wide + [0x5A, 0xC3]) == 2)
        #expect(SpreadsheetText.lineThatIsNot(utf8: wide) == nil)
        #expect(SpreadsheetText.lineThatIsNot(utf8: narrow + narrow) == nil)
    }

    @Test func windows1252IsRead() {
        let bytes: [UInt8] = [0x5A, 0x6F, 0xEB, 0x20, 0x8A, 0x9E, 0x80, 0x20, 0x93, 0x94, 0x0D, 0x0A]
        #expect(SpreadsheetText.windows1252(bytes) == "Zoë Šž€ “”\r\n")
        for byte: UInt8 in [0x00, 0x07, 0x1B, 0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D] {
            #expect(SpreadsheetText.windows1252([0x41, byte]) == nil, "\(byte)")
        }
        #expect((UInt8(0x80)...0x9F).count { SpreadsheetText.windows1252([$0]) != nil } == 27)
    }

    @Test func utf16IsReadInBothOrders() {
        #expect(SpreadsheetText.utf16([0xFF, 0xFE, 0xEB, 0x00, 0x3D, 0xD8, 0x00, 0xDE]) == "ë😀")
        #expect(SpreadsheetText.utf16([0xFE, 0xFF, 0x00, 0xEB]) == "ë")
        // Half of a pair.
        #expect(SpreadsheetText.utf16([0xFF, 0xFE, 0x3D, 0xD8]) == nil)
        // Half of a character: the file was cut.
        #expect(SpreadsheetText.utf16([0xFF, 0xFE, 0x41, 0x00, 0x42]) == nil)
        #expect(SpreadsheetText.utf16([0xFE, 0xFF, 0x00]) == nil && SpreadsheetText.utf16([0xFE, 0xFF]) == "")
        // It was cut too, and each byte of it means something in Windows-1252.
        #expect(SpreadsheetText.windows1252([0xFE, 0xFF, 0x61, 0x62, 0x63]) == nil)
        #expect(SpreadsheetText.utf16([0x41, 0x42]) == nil)
    }
}
