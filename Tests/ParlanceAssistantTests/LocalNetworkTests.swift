import NIOCore
import Testing

@testable import ParlanceAssistant

@Suite struct LocalNetworkTests {
    @Test(arguments: [
        "127.0.0.1", "127.255.0.9", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.7.8",
        "169.254.1.2", "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
    ])
    func theseAreLocal(text: String) throws {
        #expect(LocalNetwork.contains(try SocketAddress(ipAddress: text, port: 80)))
    }

    @Test(arguments: [
        "0.0.0.0", "8.8.8.8", "11.0.0.1", "126.0.0.1", "128.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1",
        "192.169.0.1", "169.253.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::", "2001:db8::1", "fe00::1",
        "fec0::1", "fbff::1", "ff02::1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    ])
    func theseAreNot(text: String) throws {
        #expect(!LocalNetwork.contains(try SocketAddress(ipAddress: text, port: 80)))
    }
}
