import ParlanceControl
import ParlanceWire
import Testing

/// The control protocol cannot see the limits of the peers' protocol, so it repeats those that both have.
@Suite struct ControlLimitsTests {
    @Test func bothProtocolsTakeTextsOfTheSameSize() {
        #expect(ControlLimits.textBytes == Limits.textBytes)
    }
}
