import Testing

@testable import ParlanceAssistant

@Suite struct TextDigestTests {
    @Test func otherTextsHaveOtherDigests() {
        #expect(TextDigest.of("") != TextDigest.of(" ") && TextDigest.of("ab") != TextDigest.of("ba"))
        // The test vector of FNV-1a for "foobar" (draft-eastlake-fnv, appendix C).
        #expect(UInt64(bitPattern: TextDigest.of("foobar")) == 0x8594_4171_f739_67e8)
    }
}
