import ParlanceControl
import Testing

@Suite struct StableHashTests {
    @Test func itIsAsTheDraftSays() {
        // Test vectors of draft-eastlake-fnv, appendix C.
        #expect(StableHash.of("") == 0xcbf2_9ce4_8422_2325 && StableHash.of("foobar") == 0x8594_4171_f739_67e8)
    }
}
