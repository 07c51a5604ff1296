import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceWire
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The setting `file-rate`: its texts, and its hours in virtual time.
@Suite struct FileRateTests {
    /// Midnight of a day in UTC, in milliseconds.
    private static let midnight: Int64 = 1_763_337_600_000
    private static let minute: Int64 = 60_000

    /// A clock of a zone that is two hours ahead.
    private static func clock(_ time: Int64) -> LocalClock {
        LocalClock(now: ControlTime(milliseconds: time)) { _ in 7_200 }
    }

    private static func settings(_ text: String) throws(DaemonError) -> Settings {
        var settings = Settings()
        try settings.read([text], of: .fileRate, at: .store)
        return settings
    }

    @Test(
        arguments: [
            ("2 MiB", 2 << 20, "2 MiB"), ("64KiB", 65_536, "64 KiB"), ("1.5 gib", 3 << 29, "1.5 GiB"),
            ("1 TiB", 1 << 40, "1 TiB"), ("2 MiB 8:00-18:00", 2 << 20, "2 MiB 08:00-18:00"),
            ("100000 B  22:00-7:00", 100_000, "100000 B 22:00-07:00"),
        ] as [(String, UInt64, String)]
    )
    func aRateIsReadAndWritten(given: String, bytes: UInt64, text: String) throws {
        let settings = try Self.settings(given)
        #expect(settings.fileRate?.bytes == bytes)
        #expect(settings.texts(of: .fileRate) == [text])
        #expect(try Self.settings(text).fileRate == settings.fileRate)
        #expect((settings.fileRate?.hours != nil) == given.contains(":"))
    }

    @Test func thereIsNoLimitAtFirst() throws {
        #expect(Settings().fileRate == nil && Settings().texts(of: .fileRate) == ["off"])
        #expect(try Self.settings("OFF").fileRate == nil)
        #expect(Settings.fileRates.lowerBound == Limits.leastFileRate)
    }

    @Test(
        arguments: [
            "", "2", "MiB", "2 MB", "2 MiB/s", "-1 MiB", "2 MiB 8-18", "2 MiB 8:00-8:00", "8:00-18:00", "2 MiB 8:00",
            "2 MiB 8:00-18:00 9:00-10:00", "2 MiB 8:00-25:00", "off 8:00-18:00", "65535 B", "1 KiB", "0 B", "2 TiB",
            "99999999999999999999 GiB",
        ]
    )
    func whatIsNoRateIsRefused(text: String) {
        let error = #expect(throws: DaemonError.self) { try Self.settings(text) }
        #expect(error?.code == .invalidValue && error?.advice.english.isEmpty == false)
    }

    /// Two days, seen at each moment at which the service looks.
    @Test(
        arguments: [
            ("2 MiB 8:00-18:00", [8 * 60, 18 * 60]), ("2 MiB 22:00-7:30", [7 * 60 + 30, 22 * 60]),
            ("2 MiB 0:00-0:01", [0, 1]),
        ]
    )
    func theHoursBeginAndEnd(text: String, minutes: [Int]) throws {
        let rate = try #require(FileRate(text))
        let told = Mutex<[(minute: Int, isLimited: Bool)]>([])
        let now = Mutex(Self.midnight - 2 * 3_600_000 - 12_345)
        let keeper = FileRateKeeper(rate, at: Self.clock(now.withLock { $0 })) { bytes in
            #expect(bytes == nil || bytes == 2 << 20)
            let local = (now.withLock { $0 } - Self.midnight) / Self.minute + 120
            told.withLock { $0.append((Int(local % 1_440), bytes != nil)) }
        }
        let wasLimited = keeper.told != nil
        var looks = 0
        while now.withLock({ $0 }) < Self.midnight - 7_200_000 + 2 * 86_400_000 - 1 {
            let pause = try #require(keeper.look(at: Self.clock(now.withLock { $0 })))
            #expect((1...Self.minute).contains(pause))
            now.withLock { $0 += pause }
            looks += 1
        }
        #expect(looks == 2 * 1_440 + 1)
        let changes = told.withLock { $0 }
        #expect(changes.map(\.minute) == minutes + minutes)
        #expect(changes.map(\.isLimited) == [!wasLimited, wasLimited, !wasLimited, wasLimited])
    }

    @Test func aChangedSettingIsToldOnceAndAtOnce() throws {
        let told = Mutex<[UInt64?]>([])
        let noon = Self.clock(Self.midnight + 10 * 3_600_000)
        let keeper = FileRateKeeper(nil, at: noon) { bytes in told.withLock { $0.append(bytes) } }
        #expect(keeper.told == nil)
        for text in ["2 MiB", "2 MiB 8:00-18:00", "1 MiB 18:00-8:00", "64 KiB 11:59-12:01", "64 KiB"] {
            let rate = try #require(FileRate(text))
            for _ in 0..<2 { keeper.use(rate, at: noon) }
            #expect((keeper.look(at: noon) == nil) == (rate.hours == nil), "it wakes up only for hours")
        }
        keeper.use(nil, at: noon)
        #expect(keeper.look(at: noon) == nil)
        #expect(told.withLock { $0 } == [2 << 20, nil, 65_536, nil])
        #expect(keeper.told == nil)
    }

    /// The service sleeps while there are no hours, so a changed setting wakes it.
    @Test(.timeLimit(.minutes(30))) func aChangedSettingWakesTheService() async {
        let keeper = FileRateKeeper(nil) { _ in }
        keeper.use(FileRate("2 MiB 8:00-18:00"))
        var wakes = keeper.wakes.makeAsyncIterator()
        #expect(await wakes.next() != nil)
    }
}
