import ParlanceRandom
import ParlanceTexts
import Testing

@testable import ParlanceControl

/// How fast files come, and how they are called.
@Suite struct TransferPaceTests {
    private func pace(_ samples: [(Int64, UInt64)]) -> TransferPace {
        samples.reduce(into: TransferPace()) { $0.saw($1.1, at: $1.0) }
    }

    @Test func nothingIsSaidBeforeHalfASecond() {
        #expect(pace([]).rate == nil)
        #expect(pace([(0, 0), (499, 9_999)]).rate == nil)
        #expect(pace([(0, 0), (500, 1_000)]).rate == 2_000)
    }

    @Test func theRateIsThatOfTheLastSeconds() {
        // 10 s at 1,000 B/s, then 10 s at 3,000 B/s.
        var pace = TransferPace()
        for tenth in 0...100 { pace.saw(UInt64(tenth * 100), at: Int64(tenth * 100)) }
        for tenth in 1...100 { pace.saw(UInt64(10_000 + tenth * 300), at: Int64(10_000 + tenth * 100)) }
        #expect(pace.rate == 3_000)
    }

    @Test func whatStandsStillHasNoRate() {
        #expect(pace((0...100).map { (Int64($0) * 100, 500) }).rate == 0)
    }

    @Test func whatGoesBackBeginsAnew() {
        #expect(pace([(0, 0), (1_000, 5_000), (2_000, 10)]).rate == nil)
        #expect(pace([(5_000, 0), (1_000, 5_000)]).rate == nil)
        #expect(pace([(0, 0), (1_000, .max)]).rate != nil)
    }

    @Test func anySamplesAreTaken() {
        var random = SplitMix.printingSeed()
        var pace = TransferPace()
        for _ in 0..<10_000 {
            pace.saw(
                UInt64.random(in: 0...UInt64.max, using: &random),
                at: Int64.random(in: 0...60_000, using: &random)
            )
            let size = UInt64.random(in: 0...UInt64.max, using: &random)
            _ = FileText.progress(UInt64.random(in: 0...UInt64.max, using: &random), of: size, rate: pace.rate)
        }
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_258_291, "1.2 MiB"), (10_239, "10 KiB"),
        (1_048_575, "1.0 MiB"), (12 << 20, "12 MiB"), (1 << 40, "1.0 TiB"), (UInt64.max, "16 EiB"),
    ])
    func sizesAreShort(_ bytes: UInt64, _ text: String) {
        #expect(FileText.size(bytes) == text)
    }

    @Test func percentAreWholeAndHonest() {
        #expect(FileText.percent(0, of: 0) == 100 && FileText.percent(0, of: 5) == 0)
        #expect(FileText.percent(UInt64.max - 1, of: UInt64.max) == 99)
        #expect(FileText.percent(999, of: 1_000) == 99 && FileText.percent(1_000, of: 1_000) == 100)
    }

    @Test func aFileThatWaitsNamesWhoMayHaveIt() {
        var file = FileInfo(file: "f", name: "plan.odt", size: 100, state: .fetching)
        file.waits = true
        #expect(FileText.state(file) == "waiting: nobody sends it at the moment" && FileText.whom(file) == nil)
        file.waitsFor = [Person(id: "b", displayName: "Bob")]
        #expect(FileText.state(file) == "waiting for Bob: nobody sends it at the moment")
        file.waitsFor?.append(Person(id: "c", displayName: "Cleo"))
        file.bytes = 40
        #expect(
            FileText.state(file) == "waiting for Bob or others in the group, 40 % here: nobody sends it at the moment"
        )
        // Somebody sends it.
        file.waits = nil
        #expect(FileText.state(file) == "fetching, 40 % here")
    }

    @Test func progressHasRateAndTimeLeft() {
        let size: UInt64 = 11 << 20
        #expect(FileText.progress(1 << 20, of: size, rate: 1 << 20) == "1.0 MiB of 11 MiB, 1.0 MiB/s, 10 s left")
        #expect(FileText.progress((1 << 20) - 1, of: size, rate: 1 << 20) == "1.0 MiB of 11 MiB, 1.0 MiB/s, 11 s left")
        #expect(FileText.progress(size, of: size, rate: 1 << 20) == "11 MiB of 11 MiB, 1.0 MiB/s")
        // Less than what is there already is no size.
        #expect(FileText.progress(size, of: 1, rate: 1 << 20) == "11 MiB of 1 B, 1.0 MiB/s")
        for rate in [nil, 0] as [UInt64?] {
            #expect(FileText.progress(1 << 20, of: size, rate: rate) == "1.0 MiB of 11 MiB")
        }
    }

    @Test func aFileIsALineWithWhatToDo() {
        var file = FileInfo(file: "3f2a91c0xyz", name: "report.pdf", size: 1_258_291, state: .offered)
        #expect(FileText.line(file, mine: false) == "report.pdf, 1.2 MiB (offered: parlance fetch 3f2a91c0)")
        // It is not here after the restore of a backup.
        #expect(FileText.line(file, mine: true) == FileText.line(file, mine: false))
        (file.state, file.bytes) = (.fetching, 629_145)
        #expect(FileText.line(file, mine: false) == "report.pdf, 1.2 MiB (fetching, 49 % here)")
        (file.name, file.folder, file.state) = ("src", true, .here)
        #expect(FileText.line(file, mine: false) == "src (folder), 1.2 MiB (here: parlance fetch 3f2a91c0)")
        #expect(FileText.line(file, mine: true) == "src (folder), 1.2 MiB")
    }
}
