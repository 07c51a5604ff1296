import Foundation
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

@Suite struct UpdateTests {
    /// What `apt-cache policy` prints.
    private static func answer(installed: String, candidate: String, _ rows: String...) -> String {
        (["parlance:", "  Installed: \(installed)", "  Candidate: \(candidate)", "  Version table:"]
            + rows.map { "     \($0)" }).joined(
                separator: "\n"
            )
    }

    @Test func aVersionIsNewerIfAptSaysSo() {
        let source = "   500 file:/srv/parlance stable/main amd64 Packages"
        let both = Self.answer(
            installed: "0.1.0",
            candidate: "0.2.0~rc1",
            "0.2.0~rc1 500",
            source,
            "*** 0.1.0 100",
            "   100 /var/lib/dpkg/status"
        )
        #expect(UpdateService.newer(in: both) == NewerVersion(installed: "0.1.0", available: "0.2.0~rc1"))
        // Up to date, not a package, unknown, an older one that somebody has pinned, and what is no answer at all.
        let answers = [
            Self.answer(installed: "0.2.0", candidate: "0.2.0", "*** 0.2.0 500", source),
            Self.answer(installed: "(none)", candidate: "0.2.0", "0.2.0 500", source),
            Self.answer(installed: "0.2.0", candidate: "(none)", "*** 0.2.0 100"),
            Self.answer(installed: "0.2.0", candidate: "0.1.0", "*** 0.2.0 100", "0.1.0 1001", source),
            Self.answer(installed: "0.1.0", candidate: "0.2.0"),
            Self.answer(installed: "0.1.0", candidate: "\u{1B}[31m", "\u{1B}[31m 500", "*** 0.1.0 100"),
            Self.answer(
                installed: "0.1.0",
                candidate: String(repeating: "9", count: 99),
                String(repeating: "9", count: 99) + " 500",
                "*** 0.1.0 100"
            ),
            "", "parlance:", "N: Unable to locate package parlance",
        ]
        for answer in answers { #expect(UpdateService.newer(in: answer) == nil, "\(answer)") }
    }

    /// An apt of its own, with a source that offers some versions; `installed` is there already.
    private struct Apt {
        let root: String

        init(in lab: Lab, installed: String) throws {
            root = lab.folder.appendingPathComponent("apt").path
            let package = { (version: String) in
                "Package: parlance\nVersion: \(version)\nArchitecture: all\nMaintainer: nobody\nDescription: chat\n"
            }
            for folder in [
                "site", "etc/apt/sources.list.d", "var/lib/apt/lists/partial", "var/lib/dpkg/info",
                "var/cache/apt/archives/partial",
            ] {
                try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
            }
            try write("deb [trusted=yes] file:\(root)/site ./\n", to: "etc/apt/sources.list")
            try write(package(installed) + "Status: install ok installed\n", to: "var/lib/dpkg/status")
            try write("/usr/bin/parlance\n", to: "var/lib/dpkg/info/parlance.list")
            let config = [
                "Dir \"\(root)\";", "Dir::State::status \"\(root)/var/lib/dpkg/status\";",
                "APT::Sandbox::User \"root\";",
            ]
            try write(config.joined(separator: "\n") + "\n", to: "apt.conf")
        }

        func write(_ text: String, to name: String) throws {
            try text.write(toFile: "\(root)/\(name)", atomically: true, encoding: .utf8)
        }

        /// Offers versions, and lets apt fetch the index.
        func offer(_ versions: String..., in lab: Lab) async throws {
            let entries = versions.map {
                "Package: parlance\nVersion: \($0)\nArchitecture: all\nMaintainer: nobody\nFilename: ./\($0).deb\nSize: 1\n"
                    + "SHA256: \(String(repeating: "0", count: 64))\nDescription: chat\n"
            }
            try write(entries.joined(separator: "\n"), to: "site/Packages")
            let update = try Child(
                try Programs.system("apt-get"),
                ["update"],
                environment: ["APT_CONFIG": "\(root)/apt.conf", "PATH": "/usr/bin:/bin", "LC_ALL": "C"],
                base: lab.nextBase("apt")
            )
            #expect(try await update.ended(within: .seconds(60)) == 0, "\(update.complained)")
        }

        var places: UpdateService.Places {
            var places = UpdateService.Places()
            places.package = "\(root)/var/lib/dpkg/info/parlance.list"
            places.indexes = ["\(root)/var/lib/apt/lists", "\(root)/var/lib/dpkg/status"]
            places.environment = ["APT_CONFIG=\(root)/apt.conf", "PATH=/usr/bin:/bin", "LC_ALL=C"]
            return places
        }
    }

    /// What the service told, one entry each time.
    private final class Told: Sendable {
        let all = Mutex<[NewerVersion?]>([])
    }

    @Test func aptIsAskedWhenItsIndexesHaveChanged() async throws {
        try await Lab.run { lab in
            let apt = try Apt(in: lab, installed: "1.0")
            let told = Told()
            var service = UpdateService(places: apt.places) { newer in told.all.withLock { $0.append(newer) } }
            var seen: [Int] = []
            try await apt.offer("1.0", in: lab)
            await service.look(&seen)
            #expect(told.all.withLock { $0 } == [nil])

            try await apt.offer("1.0", "1.10", "1.9", in: lab)
            await service.look(&seen)
            let newer = NewerVersion(installed: "1.0", available: "1.10")
            #expect(told.all.withLock { $0 } == [nil, newer])
            // Nothing has changed: apt is not asked.
            await service.look(&seen)
            #expect(told.all.withLock { $0.count } == 2)

            // A look that failed says nothing and is repeated, though no file has changed since.
            let program = service.places.program
            service.places.program = "/bin/false"
            try await apt.offer("1.0", "1.10", "1.11", in: lab)
            await service.look(&seen)
            #expect(told.all.withLock { $0.count } == 2)
            service.places.program = program
            await service.look(&seen)
            let newest = NewerVersion(installed: "1.0", available: "1.11")
            #expect(told.all.withLock { $0 } == [nil, newer, newest])

            // No package at all.
            try FileManager.default.removeItem(atPath: service.places.package)
            service.places.program = "\(apt.root)/not/there"
            await service.look(&seen)
            #expect(told.all.withLock { $0 } == [nil, newer, newest, nil])
        }
    }
}
