import Foundation
import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// One setting changes in a file that people wrote, and nothing else does.
@Suite struct SettingsTextTests {
    struct Case: Sendable {
        var before: String
        var key: SettingKey
        var values: [String]?
        var after: String
    }

    static let cases = [
        Case(before: "", key: .port, values: ["4801"], after: "port: 4801\n"),
        Case(before: "# mine\nname: Ada", key: .hidden, values: ["true"], after: "# mine\nname: Ada\nhidden: true\n"),
        Case(before: "port: 1 # one\nname: Ada\n", key: .port, values: ["2"], after: "port: 2  # one\nname: Ada\n"),
        Case(
            before: "auto_accept: nobody\n",
            key: .autoAccept,
            values: ["workspace"],
            after: "auto_accept: workspace\n"
        ),
        Case(before: "mdns: auto\r\nport: 1\r\n", key: .mdns, values: ["off"], after: "mdns: \"off\"\r\nport: 1\r\n"),
        Case(
            before: "name: \"A # b\" # c\n",
            key: .name,
            values: ["B # \"x\" \\"],
            after: "name: \"B # \\\"x\\\" \\\\\"  # c\n"
        ),
        Case(before: "name: Ada's # c\n", key: .name, values: ["Bob"], after: "name: Bob  # c\n"),
        Case(before: "name: Ada\n", key: .name, values: ["true"], after: "name: \"true\"\n"),
        Case(before: "name: Ada\n", key: .name, values: ["12"], after: "name: \"12\"\n"),
        Case(
            before: "peers: # far\n  # the ship\n  - \"a:1\"\n\n  - \"b:2\"\n\n# a name\nname: Ada\n",
            key: .peers,
            values: ["c:3"],
            after: "peers: [\"c:3\"]  # far\n  # the ship\n\n\n# a name\nname: Ada\n"
        ),
        Case(before: "peers:\n- \"a:1\"\nport: 1\n", key: .peers, values: [], after: "peers: []\nport: 1\n"),
        Case(before: "peers: [\n  \"a:1\",\n]\nport: 1\n", key: .peers, values: nil, after: "port: 1\n"),
        Case(before: "port: 1\n# two\nname: Ada\n", key: .port, values: nil, after: "# two\nname: Ada\n"),
    ]

    @Test(arguments: cases)
    func itChangesOneSetting(_ each: Case) async throws {
        try await TestConfiguration.with(each.before) { file in
            try SettingsEditor(file: file.path).set(each.key, to: each.values)
            #expect(try String(contentsOf: file, encoding: .utf8) == each.after)
            let settings = try SettingsSource(file: file.path).load()
            #expect(settings.texts(of: each.key) == each.values ?? Settings().texts(of: each.key))
        }
    }

    @Test(
        arguments: [
            (SettingKey.port, ["70000"], "\"port\": 70000 is not a valid port"),
            (.port, ["many"], "\"port\": \"many\""),
            (.port, ["1", "2"], "\"port\": \"1 2\" does not fit"),
            (.hidden, ["yes"], "\"hidden\": \"yes\" does not fit"),
            (.logLevel, ["wanring"], "\"wanring\" is not a log level. Did you mean warning?"),
            (.peers, ["a:1", "b:0"], "\"peers\": \"b:0\" is not the address of a peer"),
            (.listen, ["here"], "\"listen\": \"here\" is not a numeric address"),
            (.listen, ["::1", "255.255.255.255"], "\"255.255.255.255\" cannot be the address of a computer"),
            (.peers, ["[ff02::1]"], "\"[ff02::1]:4747\" cannot be the address of a computer"),
            (.peers, ["0.0.0.0"], "cannot be the address"), (.peers, ["[::]"], "cannot be the address"),
            (.peers, ["255.255.255.255"], "cannot be the address"), (.peers, ["300.1.1.1"], "cannot be the address"),
            (.peers, ["1.2.3"], "cannot be the address"), (.peers, ["-x"], "cannot be the address"),
            (.peers, ["x..y"], "cannot be the address"), (.peers, ["a,b"], "\"a,b:4747\" cannot be the address"),
            (.name, ["Ada", "Lovelace"], "\"name\": \"Lovelace\" is one word too many."),
            (.fileRate, ["2", "MiB"], "\"MiB\" is one word too many."), (.port, [""], "the value is missing"),
            (.peers, ["a:1,b:2"], "is not the address of a peer"), (.name, [""], "cannot be used"),
            (.name, ["Me"], "The name \"Me\" cannot be used."),
        ] as [(SettingKey, [String], String)]
    )
    func aWrongValueChangesNothing(_ key: SettingKey, _ values: [String], _ says: String) async throws {
        let text = "# mine\nport: 4747\n"
        try await TestConfiguration.with(text) { file in
            let error = #expect(throws: DaemonError.self) {
                try SettingsEditor(file: file.path).set(key, to: values)
            }
            let message = error?.message ?? ""
            #expect(message.english.contains(says), "\(message)")
            let now = try String(contentsOf: file, encoding: .utf8)
            #expect(now == text)
            let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            #expect(names == ["config.yaml"], "no draft stays")
        }
    }

    /// The node starts with it, and tells it.
    @Test func aFileMayHaveANameThatEarlierVersionsTook() async throws {
        try await TestConfiguration.with("name: Me\n") { file in
            let settings = try SettingsSource(file: file.path).load()
            #expect(settings.name == "Me" && settings.faults.count == 1)
            #expect(settings.faults.first?.message.english.contains("The name \"Me\" cannot be used.") == true)
        }
    }

    @Test func spacesAtTheEndsOfANameDoNotCount() async throws {
        try await TestConfiguration.with("name: \" Zo\u{eb}  \"\n") { file in
            let settings = try SettingsSource(file: file.path).load()
            #expect(settings.name == "Zo\u{eb}")
        }
    }

    @Test(
        arguments: [
            ("{name: Ada}\n", "cannot be read"), ("name: Ada\nport: many\n", "\"port\" in FILE, line 2: \"many\""),
            ("name: Ada\nprot: 1\n", "\"prot\" in FILE, line 2 is not a setting. Did you mean port?"),
            ("hidden: true\n  port: 1\n", "FILE"), ("? name\n: Ada\n", "FILE"),
            ("quatsch\n", "FILE cannot be read: line 1: a setting is written as NAME: VALUE."),
        ]
    )
    func aFileThatWouldBeWrongIsNotReplaced(_ text: String, _ says: String) async throws {
        try await TestConfiguration.with(text) { file in
            let error = #expect(throws: DaemonError.self) {
                try SettingsEditor(file: file.path).set(.name, to: ["Bob"])
            }
            let expected = says.replacing("FILE", with: file.path)
            let message = error?.message ?? ""
            #expect(message.english.contains(expected), "\(message)")
            let now = try String(contentsOf: file, encoding: .utf8)
            #expect(now == text)
        }
    }

    /// What the reader of YAML complains of, in words for people, with the line in which it began.
    @Test(
        arguments: [
            ("port: 1\nname: \"Ada\nmdns: off\n", "line 2: a quotation mark is not closed"),
            ("name: 'Ada\n\n\n", "line 1: a quotation mark is not closed"),
            ("name: \"Ada\" Lovelace\n", "line 1: a value goes on after its closing quotation mark"),
            ("name: 'it's'\n", "line 1: a value goes on after its closing quotation mark"),
            ("peers:\n\t- bob:4747\n", "line 2: it is indented with a tab: use spaces"),
            ("peers:\n  - bob:4747\n\t- cleo:4747\n", "line 3: it is indented with a tab: use spaces"),
            ("name: Ada\n\tport: 1\n", "line 2: it is indented with a tab: use spaces"),
            ("# x\nlisten: [\"::1\"\nname: Ada\n", "line 2: a bracket is not closed, or a comma is missing"),
            ("listen: [\"::1\" \"::2\"]\n", "line 1: a bracket is not closed, or a comma is missing"),
            ("peers: {a: b\n", "line 1: a bracket is not closed, or a comma is missing"),
            ("name: Ada\nbogus: [\n", "line 2: a bracket is not closed, or a comma is missing"),
            ("bogus: [", "line 1: a bracket is not closed, or a comma is missing"),
            ("name: Ada\nbogus: {\n\n# x\n\n", "line 2: a bracket is not closed, or a comma is missing"),
            ("port: 1\nquatsch\n", "line 2: a setting is written as NAME: VALUE"),
            ("# x\nhidden:true\n\nname: a\n", "line 2: a setting is written as NAME: VALUE"),
            ("- a\nname: b\n", "line 2: a setting is written as NAME: VALUE"),
            ("name: @Ada\n", "line 1: a value that begins with @ needs quotation marks"),
            ("name: `Ada`\n", "line 1: a value that begins with ` needs quotation marks"),
            ("peers:\n  - @bob\n", "line 2: a value that begins with @ needs quotation marks"),
            ("name: &a\nport: %\n", "line 2: a value that begins with % needs quotation marks"),
            ("name: *Ada\n", "line 1: a value that begins with * needs quotation marks"),
            ("name: Ada: Lovelace\n", "line 1: a value with a colon needs quotation marks"),
            ("name: \"C:\\path\"\n", "line 1: between double quotation marks a backslash is written twice"),
            ("name: Ada\n  port: 1\n", "line 2: its indentation does not fit the lines above"),
            ("peers:\n    - a\n  - b\n", "line 3: its indentation does not fit the lines above"),
            ("name: Ada\nname: Eve\n", "name is set more than once"),
            ("name: Ada\u{7}\n", "line 1: it has a control character"),
            ("name: | x\n", "line 1: the line is not valid YAML"),
        ]
    )
    func whatIsNoYAMLIsSaidInPlainWords(_ text: String, _ says: String) async throws {
        try await TestConfiguration.with(text) { file in
            let error = #expect(throws: DaemonError.self) { try SettingsSource(file: file.path).load() }
            let message = error?.message.english ?? ""
            #expect(message == ("The configuration file \(file.path) cannot be read: \(says)."), "\(message)")
        }
    }

    @Test(arguments: ["ship", "ship.lan.", "büro-2.lan", "my_pi:80", "10.0.0.1", "[2001:db8::7]:4747", "7up.lan"])
    func aNameOrAnAddressCanBeAPeer(_ peer: String) async throws {
        try await TestConfiguration.with("") { file in
            try SettingsEditor(file: file.path).set(.peers, to: [peer])
        }
    }

    /// Both programs find it where the data folder is: without HOME, in the home of the user database.
    @Test(arguments: [[:], ["HOME": ""], ["HOME": "here"], ["HOME": "/"], ["HOME": "/home/ada"]])
    func theFileIsInTheSameHomeAsTheData(_ environment: [String: String]) throws {
        let home = try ControlPaths(environment: environment).dataDirectory.dropLast("/.local/share/parlance".count)
        #expect(SettingsSource(file: nil, environment: environment).file == home + "/.config/parlance/config.yaml")
    }

    @Test func whatIsNoFileOfTextIsSaid() async throws {
        try await TestConfiguration.with("") { file in
            try Data([UInt8(ascii: "#"), 0xFC]).write(to: file)
            #expect(throws: DaemonError.self) { try SettingsSource(file: file.path).load() }
            let latin1 = #expect(throws: DaemonError.self) { try SettingsEditor(file: file.path).set(.port, to: ["1"]) }
            #expect(latin1?.message == "The configuration file \(file.path) is not UTF-8.")
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            let folder = #expect(throws: DaemonError.self) { try SettingsSource(file: file.path).load() }
            #expect(folder?.message == "The configuration file \(file.path) is a folder.")
        }
    }

    @Test func aWrongValueInTheFileCanBeReplaced() async throws {
        try await TestConfiguration.with("log-level: loud\n") { file in
            try SettingsEditor(file: file.path).set(.logLevel, to: ["debug"])
            #expect(try String(contentsOf: file, encoding: .utf8) == "log-level: debug\n")
        }
    }

    /// Of several changes at once, none is lost.
    @Test func changesAtOnceWaitForEachOther() async throws {
        try await TestConfiguration.with("# mine\n") { file in
            let changes: [(SettingKey, [String])] = [
                (.name, ["Ada"]), (.port, ["1"]), (.hidden, ["true"]), (.logLevel, ["debug"]), (.peers, ["b:1"]),
            ]
            DispatchQueue.concurrentPerform(iterations: changes.count) { index in
                _ = try? SettingsEditor(file: file.path).set(changes[index].0, to: changes[index].1)
            }
            let settings = try SettingsSource(file: file.path).load()
            for (key, values) in changes { #expect(settings.texts(of: key) == values) }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give folders away"))
    func rootMakesFoldersForTheOwnerOfTheFolderAbove() async throws {
        try await TestConfiguration.with("") { file in
            let home = file.deletingLastPathComponent()
            try #require(chown(home.path, 12_345, 12_346) == 0)
            try SettingsEditor(file: home.path + "/one/two/config.yaml").set(.port, to: ["2"])
            for path in ["one", "one/two", "one/two/config.yaml"] {
                let made = try FileManager.default.attributesOfItem(atPath: home.path + "/" + path)
                #expect(
                    made[.ownerAccountID] as? NSNumber == 12_345 && made[.groupOwnerAccountID] as? NSNumber == 12_346
                )
            }
        }
    }

    /// A folder that somebody else made in the meantime stays theirs, and a link in its place is not followed.
    @Test func aLinkInThePlaceOfAFolderIsNotFollowed() async throws {
        try await TestConfiguration.with("") { file in
            let home = file.deletingLastPathComponent().path
            try FileManager.default.createSymbolicLink(atPath: home + "/one", withDestinationPath: home + "/nowhere")
            let error = #expect(throws: DaemonError.self) {
                try SettingsEditor(file: home + "/one/two/config.yaml").set(.port, to: ["2"])
            }
            #expect(error?.message.english.contains("cannot be written") == true)
            #expect(!FileManager.default.fileExists(atPath: home + "/nowhere"))
        }
    }

    @Test func aLinkStaysALinkAndThePermissionsStay() async throws {
        try await TestConfiguration.with("port: 1\n") { file in
            let link = file.deletingLastPathComponent().appending(path: "link.yaml")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            try SettingsEditor(file: link.path).set(.port, to: ["2"])
            #expect(try String(contentsOf: file, encoding: .utf8) == "port: 2\n")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o640)
        }
    }

    /// Nobody else would notice until the group needs the file.
    @Test func aGroupThatCouldNotBeKeptIsTold() {
        var change = SettingChange(file: "/c.yaml", key: "log-level", outcome: .applied)
        #expect(change.lines == ["Written to /c.yaml.", "In force now."])
        #expect(change.json == #"{"file":"/c.yaml","key":"log-level","outcome":"applied"}"#)
        for (loss, words, code) in [(.reading, "read it.", "read"), (.writing, "write to it.", "write")]
            as [(AtomicFile.GroupLoss, String, String)]
        {
            change.groupLoss = loss
            let told = "The file's group could not be kept: its former group can no longer \(words)"
            #expect(change.lines == ["Written to /c.yaml.", told, "In force now."])
            #expect(change.json.hasSuffix(#","outcome":"applied","groupLost":"\#(code)"}"#))
        }
    }
}

/// A configuration file in a folder of its own.
enum TestConfiguration {
    static func with(_ text: String, _ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pconfig-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.resolvingSymlinksInPath().appending(path: "config.yaml")
        try Data(text.utf8).write(to: file)
        try await body(file)
    }
}
