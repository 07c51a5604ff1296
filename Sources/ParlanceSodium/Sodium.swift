import CSodium

/// The start of libsodium, once per process.
/// Each operation of this module starts the library if it needs that, so the order of calls never matters. A program
/// calls `start()` first because only `start()` also refuses a library with a known vulnerability.
package enum Sodium {
    /// Starts libsodium and checks that this version can be trusted.
    ///
    /// May be called any number of times from any thread; the work is done once.
    /// Throws `cannotStart`, or `vulnerableLibrary` if the self-test for CVE-2025-69277 fails.
    package static func start() throws(SodiumError) {
        guard isInitialized else { throw .cannotStart }
        guard let refusal else { return }
        throw refusal
    }

    /// The version of the library in use, such as `1.0.18` (Debian's revision is not part of it).
    package static var version: String { String(cString: sodium_version_string()) }

    /// Whether `sodium_init` succeeded; reading it starts the library.
    static let isInitialized = sodium_init() >= 0

    private static let refusal: SodiumError? = {
        do throws(SodiumError) {
            try selfTest { point in crypto_core_ed25519_is_valid_point(point) == 1 }
            return nil
        } catch {
            return error
        }
    }()

    /// Checks that `isValidPoint` accepts the base point and refuses one of mixed order.
    ///
    /// CVE-2025-69277: to see whether P lies in the main subgroup the library computes L·P and compares it with the
    /// identity (0, 1), but before the fix it looked only at x. For P = Q + (0, -1), Q of the main subgroup,
    /// L·P = (0, -1), whose x is 0 as well, so P was accepted although its order is 2L.
    /// Source: https://00f.net/2025/12/30/libsodium-vulnerability. The predicate is an argument so that a test can
    /// show that a faulty one is refused.
    package static func selfTest(_ isValidPoint: ([UInt8]) -> Bool) throws(SodiumError) {
        guard isValidPoint(basePoint), !isValidPoint(mixedOrderPoint) else {
            throw .vulnerableLibrary(version: version)
        }
    }

    /// The base point of RFC 8032, section 5.1: y = 4/5, x even.
    package static let basePoint: [UInt8] = [0x58] + [UInt8](repeating: 0x66, count: 31)

    /// The base point plus the point (0, -1), that is both coordinates negated: y = p - 4/5, x odd.
    package static let mixedOrderPoint: [UInt8] = [0x95] + [UInt8](repeating: 0x99, count: 31)
}
