import Foundation
import ParlanceSodium
import Testing

#if os(Linux)
import Glibc
#endif

@Suite("Secret memory and random bytes")
struct SecretBytesTests {
    @Test("A secret holds what it was given, in both placements", arguments: [0, 1, 32, 4096, 65536])
    func holdsContent(count: Int) {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let guarded = SecretBytes(copying: content)
        let heap = SecretBytes(count: count, placement: .heap) { $0.copyBytes(from: content) }
        #expect(guarded.count == count)
        #expect(guarded.withBytes { Array($0) } == content)
        #expect(heap.withBytes { Array($0) } == content)
        #expect(guarded.placement == .guarded && heap.placement == .heap)
    }

    @Test("Pooled secrets hold what they were given, while others come and go", arguments: [0, 1, 32, 64, 65])
    func pooledSecretsAreApart(count: Int) {
        var kept: [(content: [UInt8], secret: SecretBytes)] = []
        for number in 0..<1_000 {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
            kept.append((content, SecretBytes(copying: content, placement: .pooled)))
            if number % 3 == 0 { kept.remove(at: (number * 7) % kept.count) }
        }
        for (content, secret) in kept {
            #expect(secret.withBytes { Array($0) } == content)
            #expect(secret.placement == (count > 64 ? .heap : .pooled), "a slot has 64 bytes")
        }
    }

    #if os(Linux)
    @Test("Guarded and pooled keys are in pages that no dump holds and nobody writes to")
    func keysAreInPagesThatNoDumpHolds() throws {
        for placement in [SecretBytes.Placement.guarded, .pooled] {
            let secret = SecretBytes(count: 32, placement: placement) { $0[0] = 7 }
            let address = secret.withBytes { UInt(bitPattern: $0.baseAddress) }
            // A page of the pool can be written to while another key is put into it, as other tests do at the same time.
            var lines = try Self.mapping(at: address)
            for _ in 0..<1_000 where lines.first?.contains(" r--p ") != true { lines = try Self.mapping(at: address) }
            let flags = try #require(lines.first { $0.hasPrefix("VmFlags:") }).split(separator: " ")
            #expect(lines.first?.contains(" r--p ") == true, "\(placement)")
            #expect(flags.contains("dd"), "\(placement): left out of dumps")
        }
    }

    /// What the kernel says of the pages at an address, and of those behind them.
    private static func mapping(at address: UInt) throws -> [Substring] {
        // The kernel gives it in parts, so it is read to its end.
        let map = try #require(try FileHandle(forReadingAtPath: "/proc/self/smaps")?.readToEnd())
        let lines = String(decoding: map, as: UTF8.self).split(separator: "\n").drop { line in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count != 2 || !(ends[0]..<ends[1]).contains(address)
        }
        return Array(lines)
    }
    #endif

    @Test("Bytes that were not filled are zero")
    func startsAsZeros() {
        #expect(SecretBytes(count: 9, filling: { _ in }).withBytes { Array($0) } == [UInt8](repeating: 0, count: 9))
    }

    @Test("Neither the description nor reflection shows the content")
    func doesNotShow() {
        let secret = SecretBytes(copying: Array("swordfish".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect("\(secret)" == "9 secret bytes")
        #expect(String(reflecting: secret) == "9 secret bytes")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(!dumped.contains("base"))
    }

    @Test("Errors thrown by the body keep their type")
    func passesErrors() {
        struct Failure: Error {}
        let secret = SecretBytes(copying: [1])
        #expect(throws: Failure.self) { try secret.withBytes { _ throws(Failure) in throw Failure() } }
    }

    /// A sanitizer needs mappings itself, and ends the process if there are none.
    @Test(
        "More secrets than the machine has mappings for still work",
        .enabled(if: ProcessInfo.processInfo.environment["PARLANCE_SANITIZE"] == nil)
    )
    func survivesManySecrets() async {
        // Each guarded secret takes several mappings; Linux allows a process 65,530 by default. This runs in a separate
        // process, because other tests would lack the mappings.
        await #expect(processExitsWith: .success) {
            let secrets = (0..<20_000).map { SecretBytes(copying: [UInt8(truncatingIfNeeded: $0), 7]) }
            for (index, secret) in secrets.enumerated() {
                #expect(secret.withBytes { Array($0) } == [UInt8(truncatingIfNeeded: index), 7])
            }
        }
    }

    #if os(Linux)
    @Test("Where no guarded pages are available, secrets are placed on the heap and work")
    func fallsBackToHeap() async {
        await #expect(processExitsWith: .success) {
            #expect(SecretBytes(copying: [1]).placement == .guarded)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            let before = limit.rlim_cur
            limit.rlim_cur = 1
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            let secret = SecretBytes(copying: [1, 2, 3])
            let content = secret.withBytes { Array($0) }
            limit.rlim_cur = before
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            #expect(secret.placement == .heap)
            #expect(content == [1, 2, 3])
        }
    }
    #endif

    @Test("Random bytes have the requested length and do not repeat")
    func randomBytes() {
        #expect(RandomBytes.bytes(0).isEmpty)
        #expect(RandomBytes.bytes(33).count == 33)
        #expect(RandomBytes.bytes(32) != RandomBytes.bytes(32))
        let secrets = (SecretBytes(randomCount: 32), SecretBytes(randomCount: 32))
        #expect(secrets.0.withBytes { Array($0) } != secrets.1.withBytes { Array($0) })
    }

    @Test("Constant-time comparison gives the same result as ==")
    func comparison() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(!constantTimeEqual([], [0]))
    }

    @Test("Wiping leaves zeros")
    func wiping() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes == [0, 0, 0])
        var none: [UInt8] = []
        wipe(&none)
        #expect(none.isEmpty)
    }
}
