import Testing

@testable import ParlanceWeb

@Suite struct ConnectionOwnerTests {
    /// As proc(5) shows it: client 40000 (9C40) of user 1000 is connected to port 7673 (1DF9) of user 1001.
    private let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1DF9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 11 1 0 100 0 0 10 0
           1: 0100007F:1DF9 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1001        0 12 1 0 20 4 0 10 -1
           2: 0100007F:9C40 0100007F:1DF9 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 0 10 -1
           3: 0100007F:9C41 0100007F:1DF9 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
           4: 0200007F:9C42 0100007F:1DF9 01 00000000:00000000 00:00000000 00000000  1000        0 14 1 0 20 4 0 10 -1
           5: short
        """

    @Test func theOwnerOfTheClientsEndIsFound() {
        #expect(ConnectionOwner.find(in: table, from: 40_000, to: 7_673) == .user(1000))
    }

    /// The kernel shows a closed one as root's, who would be let in.
    @Test func aClosedOneIsNobodys() {
        #expect(ConnectionOwner.find(in: table, from: 40_001, to: 7_673) == .gone)
    }

    @Test func anotherConnectionIsNotMistakenForIt() {
        #expect(ConnectionOwner.find(in: table, from: 40_002, to: 7_673) == .gone)
        #expect(ConnectionOwner.find(in: table, from: 40_000, to: 7_674) == .gone)
        #expect(ConnectionOwner.find(in: "", from: 40_000, to: 7_673) == .gone)
    }
}
