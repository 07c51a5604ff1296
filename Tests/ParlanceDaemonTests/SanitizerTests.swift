import Testing

/// `contrib/test --sanitize` relies on this: a lab fails its test when one of its programs has printed such a report.
@Suite struct SanitizerTests {
    @Test(arguments: ["WARNING: ThreadSanitizer: data race", "ERROR: AddressSanitizer: heap-use-after-free"])
    func aReportIsFoundAmongErrors(line: String) {
        #expect(Programs.report(in: "parlanced: ready\n====\n==17==\(line) (pid=17)\n") == "\(line) (pid=17)\n")
    }

    @Test func otherErrorsAreNoReport() {
        #expect(Programs.report(in: "warning: ThreadSanitizer is slow\nparlanced: The port is taken.\n") == nil)
    }
}
