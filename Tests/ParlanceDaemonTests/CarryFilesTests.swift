import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import Testing

extension ProgramTests {
    /// Files on a stick, between real daemons that no network connects (`parlance carry --files`).
    @Suite struct CarryFilesTests {
        @Test func aFileArrivesByStickAloneAndTwiceIsNoMore() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab)
                let (report, plan) = (try SampleFile(150_000, number: 3), try SampleFile(10, number: 4))
                try await scene.send([report, plan], "the report")
                let out = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--files")
                #expect(out.code == 0, "\(out.errors)")
                let words = "Bob: 1 new message is in the folder.\nBob: 2 files are in the folder (146 KiB).\n"
                #expect(out.output == words)
                // Nobody who finds the stick learns what is on it.
                let files = try scene.files()
                // A parcel of each of them, and two sealed files.
                #expect(files.count == 4 && files.keys.allSatisfy { $0.hasPrefix("parlance-") && $0.count == 61 })
                for (name, bytes) in files {
                    for secret in [Array(report.bytes.prefix(16)), plan.bytes, Array("sample".utf8), report.id.bytes] {
                        #expect(bytes.firstRange(of: secret) == nil, "\(name)")
                    }
                }
                let again = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--files")
                #expect(again.output == out.output)
                #expect(try scene.files() == files, "nothing was written again")

                let taken = try await scene.bob.parlance("carry", "in", scene.stick)
                #expect(taken.code == 0, "\(taken.errors)")
                #expect(taken.output == "From Ada: 1 new message.\nFrom Ada: 2 files.\n")
                let here = try await scene.bob.ask(FilesOperation()).files
                #expect(here.map(\.file.state) == [.here, .here])
                for sample in [report, plan] { #expect(try await scene.content(of: sample) == sample.bytes) }
                let nothing = try await scene.bob.parlance("carry", "in", scene.stick)
                #expect(nothing.output == "From Ada: nothing new.\n" && nothing.code == 0, "\(nothing.errors)")
                #expect(try scene.files() == files, "taking changes nothing on the stick")

                // Bob's receipt is back, so the message and its files are not carried any more.
                try await scene.exchange(scene.bob, scene.ada)
                let last = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--files")
                #expect(last.output == "Bob: nothing new; receipts are in the folder.\n" && last.code == 0)
                #expect(last.errors.contains("Bob has the messages that name your files"), "\(last.errors)")
                #expect(last.errors.contains("To take one along: --file ID"), "\(last.errors)")
                #expect(try scene.sealed().isEmpty)
            }
        }

        @Test func whatAStickDoesToAFileIsSaidAndLosesNothing() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab)
                let (sample, other) = (try SampleFile(200_000, number: 5), try SampleFile(70_000, number: 6))
                try await scene.send([sample, other], "look")
                try await scene.carryOut("--files")
                let names = try scene.sealed()
                let honest = try scene.files()
                let name = try #require(names.first { (honest[$0]?.count ?? 0) > 190_000 })
                let second = try #require(names.first { $0 != name })
                let bytes = try #require(honest[name])
                var flipped = bytes
                flipped[100_000] ^= 1
                let damages: [([UInt8]?, String, String)] = [
                    (flipped, "damaged", "it is damaged in the folder."),
                    (Array(bytes.dropLast(70_000)), "damaged", "it is damaged in the folder."),
                    (bytes + [0], "damaged", "it is damaged in the folder."),
                    (honest[second], "foreign", "something else is in its place."),
                    ([], "foreign", "something else is in its place."),
                    (nil, "missing", "is not in the folder any more."),
                ]
                for (number, damage) in damages.enumerated() {
                    try scene.put(damage.0, name)
                    let taken = try await scene.bob.parlance("carry", "in", scene.stick)
                    #expect(taken.code == 1 && taken.errors.contains(damage.2), "\(taken.errors)")
                    let json = try await scene.bob.parlance("carry", "in", scene.stick, "--json")
                    #expect(json.code == 1 && json.output.contains(#""outcome":"\#(damage.1)""#), "\(json.output)")
                    let states = try await scene.bob.ask(FilesOperation()).files.map(\.file.state)
                    #expect(states.count { $0 == .here } == 1, "the other file is here after \(number)")
                    #expect(try await scene.content(of: sample) == nil)
                    #expect(try await scene.content(of: other) == other.bytes)
                }
                // Its author repairs what the stick has damaged, and leaves the rest as it is.
                try scene.put(flipped, name)
                try await scene.carryOut("--files")
                #expect(try scene.files()[second] == honest[second])
                let taken = try await scene.bob.parlance("carry", "in", scene.stick)
                #expect(taken.code == 0 && taken.output.contains("From Ada: the file sample-0.bin."), "\(taken.errors)")
                #expect(try await scene.content(of: sample) == sample.bytes)
                let left = try FileManager.default.contentsOfDirectory(
                    atPath: scene.bob.folder.path + "/files/incoming"
                )
                #expect(left.isEmpty, "no part of a file stays")
            }
        }

        @Test func onlyWhatIsForSomebodyGoesToThem() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab, try await Crew.meeting(in: lab).all)
                let cleo = try #require(scene.others.first)
                let secret = try SampleFile(5_000, number: 7)
                try await scene.send([secret], "for Cleo", to: "Cleo")
                try await scene.carryOut("--files")
                #expect(try scene.sealed().isEmpty)
                let asked = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--file", secret.id.text)
                #expect(asked.code == 65 && asked.errors.contains("No message between you and them"), "\(asked.errors)")
                #expect(try scene.sealed().isEmpty)
                // What is for Cleo is not for Bob, even in Bob's places.
                try await scene.carryOut(to: "Cleo", "--files")
                let name = try #require(try scene.sealed().first)
                let places = try await scene.ada.ask(CarryFilesOperation(who: "Bob")).sealed
                #expect(!places.contains(name))
                try scene.put(try scene.files()[name], places[0])
                let bobs = try await scene.bob.parlance("carry", "in", scene.stick, "--json")
                #expect(bobs.code == 0 && bobs.output.contains(#""sealed":[]"#), "\(bobs.output) \(bobs.errors)")
                let cleos = try await cleo.parlance("carry", "in", scene.stick)
                #expect(cleos.output.contains("From Ada: the file sample-0.bin.\n"), "\(cleos.output) \(cleos.errors)")
                // Ada removes it from Bob's place when she writes there again.
                try await scene.send([try SampleFile(6_000, number: 8)], "for Bob")
                try await scene.carryOut("--files")
                let there = Set(try scene.sealed())
                #expect(there.count == 2 && there.intersection(places).count == 1)
                // A deleted message names nothing.
                let message = try #require(try await scene.ada.history(with: "Bob").last)
                #expect(try await scene.ada.parlance("delete", message.id).code == 0)
                try await scene.carryOut("--files")
                #expect(try scene.sealed() == [name])
            }
        }

        @Test func aFileWhoseMessageIsThereGoesAlongWhenItIsNamed() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab)
                let sample = try SampleFile(90_000, number: 9)
                try await scene.send([sample], "too large for the network")
                try await scene.carryOut()
                try await scene.exchange(scene.bob, scene.ada)
                #expect(try await scene.ada.outbox().isEmpty)
                #expect(try await scene.content(of: sample) == nil)
                let short = String(sample.id.text.prefix(8))
                let out = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--file", short)
                #expect(out.code == 0 && out.output.contains("Bob: the file sample-0.bin is in the folder"))
                let taken = try await scene.bob.parlance("carry", "in", scene.stick)
                #expect(taken.output.contains("From Ada: the file sample-0.bin.\n"), "\(taken.errors)")
                #expect(try await scene.content(of: sample) == sample.bytes)
                // What "parlance files" and "parlance history" show means it too.
                let list = try await scene.ada.ask(FilesOperation()).files
                let entry = try #require(list.first)
                let ids = [entry.file.shortReference, entry.message, entry.message + "/1", "last", "last:Bob"]
                for id in ids {
                    let named = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--file", id)
                    let isThere = named.output.contains("Bob: the file sample-0.bin is in the folder")
                    #expect(named.code == 0 && isThere, "\(id): \(named)")
                }
                let twice = ["--file", short, "--file", "last"]
                let once = try await scene.ada.parlance(["carry", "out", scene.stick, "Bob"] + twice)
                #expect(once.code == 0 && once.output.contains("Bob: the file sample-0.bin"), "\(once)")
                for wrong in [entry.message + "/2", "aaaaaaaa", "sample-0.bin"] {
                    let none = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--file", wrong)
                    #expect(none.code == 65, "\(wrong): \(none)")
                    #expect(!none.errors.contains("Send it first"), "\(wrong): \(none)")
                }
                // The newest message is to somebody else, and "last" is what goes along here.
                _ = try await scene.ada.ask(GroupCreateOperation(title: "Alone", who: []))
                try await scene.ada.send("a note", to: "Alone")
                let last = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--file", "last")
                #expect(last.code == 0 && last.output.contains("Bob: the file sample-0.bin"), "\(last)")
                // Without an option it does not stay.
                try await scene.carryOut()
                #expect(try scene.sealed().isEmpty)
                let two = try await scene.ada.parlance("carry", "out", scene.stick, "--file", short)
                #expect(two.code == 64)
            }
        }

        @Test func whatDoesNotFitIsSaidAndTheRestGoes() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab)
                let (large, small) = (try SampleFile(300_000, number: 10), try SampleFile(1_000, number: 11))
                try await scene.send([large, small], "two")
                let words = ["carry", "out", scene.stick, "Bob", "--files", "--files-limit", "100 KiB"]
                let out = try await scene.ada.parlance(words)
                #expect(out.code == 1 && out.output.contains("Bob: the file sample-1.bin is in the folder"))
                #expect(out.errors.contains("sample-0.bin (293 KiB) is not in the folder"), "\(out.errors)")
                let json = try await scene.ada.parlance(words + ["--json"])
                #expect(json.output.contains(#""why":"beyondLimit""#) && !json.output.contains("key"), "\(json.output)")
                #expect(try scene.sealed().count == 1)
                for wrong in [["--files-limit", "1 GiB"], ["--files", "--files-limit", "much"]] {
                    #expect(try await scene.ada.parlance(["carry", "out", scene.stick, "Bob"] + wrong).code == 64)
                }
                // The limit of the node, if the user names none.
                let path = try await scene.ada.ask(FilePathOperation(file: large.id.text)).path
                #expect(truncate(path, off_t(Limits.sealedFileBytes)) == 0)
                let chosen = try await scene.ada.ask(CarryChooseOperation(who: "Bob"))
                #expect(chosen.left.map(\.why) == [.beyondLimit] && chosen.files.map(\.file) == [small.id.text])
                let more = CarryChooseOperation(who: "Bob", limit: 2 * Limits.sealedFileBytes)
                #expect(try await scene.ada.ask(more).left.isEmpty)
                // The shelf of the author has other bytes now: they never reach the stick.
                #expect(truncate(path, 300_001) == 0)
                let damaged = try await scene.ada.parlance("carry", "out", scene.stick, "Bob", "--files")
                #expect(damaged.code == 1 && damaged.errors.contains("not all of the file is on this computer"))
                #expect(try scene.sealed().count == 1)
            }
        }

        @Test(.enabled(if: TwoHosts.mountsAreAllowed, "this machine does not let us make mount namespaces"))
        func aFullStickTakesTheMessagesFirst() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab)
                try await scene.send([try SampleFile(3_000_000, number: 12)], "large")
                // Room for the file, and not for the messages behind it.
                let size = 3_145_728
                let script = """
                    mount -t tmpfs -o size=\(size) tmpfs '\(scene.stick)' && "$@"; code=$?; ls '\(scene.stick)'; exit $code
                    """
                let carry = ["carry", "out", "--data-dir", scene.ada.folder.path, scene.stick, "Bob", "--files"]
                let program = try Programs.own("parlance").path
                let out = try await lab.run(
                    Programs.system("unshare"),
                    ["-m", "--propagation", "private", "sh", "-c", script, "sh", program] + carry
                )
                #expect(out.code == 1 && out.errors.contains("the stick has no room for it"), "\(out.errors)")
                let lines = out.output.split(separator: "\n")
                #expect(
                    lines.first == "Bob: 1 new message is in the folder." && lines.count == 2,
                    "one parcel, and no draft"
                )
                // A small file goes where the parcels have room beside it, far less than is kept free on a large stick.
                #expect(UInt64(size) < Limits.stickReserveBytes)
                try await scene.send([try SampleFile(1_000, number: 13)], "small")
                let both = try await lab.run(
                    Programs.system("unshare"),
                    ["-m", "--propagation", "private", "sh", "-c", script, "sh", program] + carry
                )
                #expect(
                    both.code == 1 && both.errors.split(separator: "has no room for it").count == 2,
                    "\(both.errors)"
                )
                let printed = both.output.split(separator: "\n")
                try #require(printed.count == 4, "\(printed)")
                #expect(printed[1].contains("the file sample-0.bin is in the folder"), "\(printed)")
            }
        }

        /// A limit of the file system is told with the name of the user's file.
        @Test func aFileThatTheStickDoesNotTakeIsNamed() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await StickScene(lab)
                try await scene.send([try SampleFile(3_000_000, number: 14)], "large")
                // Writing beyond 1 MiB fails as on a file system with this limit.
                let script = "trap '' XFSZ; ulimit -f 2048; exec \"$@\""
                let carry = ["carry", "out", "--data-dir", scene.ada.folder.path, scene.stick, "Bob", "--files"]
                let program = try Programs.own("parlance").path
                let out = try await lab.run(try Programs.system("sh"), ["-c", script, "sh", program] + carry)
                #expect(out.code == 1, "\(out)")
                #expect(
                    out.errors.contains(".bin cannot be written to \(scene.stick): the file system there takes no file")
                )
                #expect(out.errors.contains("FAT takes none of 4 GiB or more"), "\(out.errors)")
                #expect(!out.errors.contains("parlance-"), "\(out.errors)")
            }
        }
    }
}
