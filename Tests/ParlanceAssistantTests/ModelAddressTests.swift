import ParlanceAssistant
import Testing

@Suite struct ModelAddressTests {
    @Test(arguments: [
        ("http://127.0.0.1:11434", "127.0.0.1", 11434, "http://127.0.0.1:11434/v1"),
        ("HTTP://NAS.local:80/", "nas.local", 80, "http://nas.local:80/v1"),
        ("http://box_1:8080/v1", "box_1", 8080, "http://box_1:8080/v1"),
        ("http://[::1]:8000/v1/", "::1", 8000, "http://[::1]:8000/v1"),
        ("http://[fe80::1%25eth0]:8000", "fe80::1%eth0", 8000, "http://[fe80::1%eth0]:8000/v1"),
        ("http://[fe80::1%eth0]:8000", "fe80::1%eth0", 8000, "http://[fe80::1%eth0]:8000/v1"),
    ])
    func itReadsWhatPeopleWrite(text: String, host: String, port: Int, whole: String) throws {
        let address = try ModelAddress(parsing: text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.description == whole)
        #expect(try ModelAddress(parsing: whole) == address)
    }

    @Test(arguments: [
        ("", ModelAddressError.missingScheme), ("localhost:11434", .missingScheme),
        ("https://nas:443", .encryptionNotSupported), ("ftp://nas:21", .unknownScheme), ("://nas:1", .unknownScheme),
        ("http://me:secret@nas:80", .hasUserInfo), ("http://nas:80/v1?key=1", .hasQuery),
        ("http://nas:80#a", .hasQuery),
        ("http://nas:80/v2", .unknownPath), ("http://nas:80/v1/models", .unknownPath),
        ("http://nas:80//", .unknownPath),
        ("http://:80", .invalidHost), ("http://", .invalidHost), ("http://na s:80", .invalidHost),
        ("http://nas\r\nX: y:80", .invalidHost), ("http://bücher:80", .invalidHost), ("http://-a:80", .invalidHost),
        ("http://[::1:80", .invalidHost), ("http://[nas]:80", .invalidHost), ("http://[1.2.3.4]:80", .invalidHost),
        ("http://[fe80::1%]:80", .invalidHost), ("http://::1:80", .invalidHost),
        ("http://nas", .missingPort), ("http://[::1]", .missingPort), ("http://[::1]80", .invalidPort),
        ("http://nas:", .invalidPort), ("http://nas:0", .invalidPort), ("http://nas:65536", .invalidPort),
        ("http://nas:+80", .invalidPort), ("http://nas:8a", .invalidPort), ("http://nas:000080", .invalidPort),
    ])
    func itRefusesAllElse(text: String, error: ModelAddressError) {
        #expect(throws: error) { try ModelAddress(parsing: text) }
    }
}
