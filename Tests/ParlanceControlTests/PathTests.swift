import Foundation
import Testing

@testable import ParlanceControl

@Suite struct PathTests {
    private let environment = ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"]

    private func paths(
        profile: String? = nil,
        data: String? = nil,
        socket: String? = nil,
        _ environment: [String: String]
    ) throws -> ControlPaths {
        try ControlPaths(profile: profile, dataDirectory: data, socket: socket, environment: environment, uid: 7)
    }

    @Test func followsTheEnvironment() throws {
        let ordinary = try paths(environment)
        #expect(ordinary.dataDirectory == "/home/ada/.local/share/parlance")
        #expect(ordinary.socketToServe == "/run/user/7/parlance/control.sock")
        #expect(ordinary.stateDirectory == "/home/ada/.local/state/parlance")
        let bare = try paths(["HOME": "/home/ada", "XDG_RUNTIME_DIR": "", "XDG_DATA_HOME": "relative"])
        #expect(bare.dataDirectory == "/home/ada/.local/share/parlance")
        #expect(bare.socketToServe == "/tmp/parlance-7/control.sock")
        let moved = try paths(["XDG_DATA_HOME": "/data"])
        #expect(moved.dataDirectory == "/data/parlance")
        // The state folder must not be copied along with a data folder, so it is never inside one.
        let elsewhere = try paths(data: "/srv/a", environment.merging(["XDG_STATE_HOME": "/state"]) { $1 })
        #expect(elsewhere.stateDirectory == "/state/parlance")
        let relative = try paths(environment.merging(["XDG_STATE_HOME": "state"]) { $1 })
        #expect(relative.stateDirectory == "/home/ada/.local/state/parlance")
    }

    @Test func profilesAndFoldersKeepNodesApart() throws {
        let work = try paths(profile: "work", environment)
        #expect(work.dataDirectory == "/home/ada/.local/share/parlance/profiles/work")
        #expect(work.socketToServe == "/run/user/7/parlance/work/control.sock")
        #expect(try paths(profile: "work", ["HOME": "/h"]).socketToServe == "/tmp/parlance-7/work/control.sock")
        #expect(try paths(data: "/srv/a", environment).socketToServe == "/srv/a/control.sock")
        #expect(try paths(data: "/srv/a", environment).pathFile == "/srv/a/control.path")
        #expect(try paths(data: "/srv/a", socket: "/s", environment).socketToServe == "/s")
        let given = environment.merging(["PARLANCE_SOCKET": "/p"]) { $1 }
        #expect(try paths(given).socketToUse() == "/p")
        #expect(try paths(socket: "/s", given).socketToUse() == "/s")
    }

    /// Who was told the name of a profile need not know where its data are.
    @Test func aProfileIsReachedByItsNameWhereverItsDataAre() throws {
        for machine in [environment, ["HOME": "/home/ada"]] {
            let daemon = try paths(profile: "work", data: "/srv/a", machine)
            #expect(daemon.dataDirectory == "/srv/a" && daemon.pathFile == "/srv/a/control.path")
            #expect(daemon.socketToServe.hasSuffix("/work/control.sock"))
            #expect(try paths(profile: "work", machine).socketToUse() == daemon.socketToServe)
            #expect(try paths(profile: "work", data: "/srv/a", machine).socketToUse() == daemon.socketToServe)
        }
    }

    /// A hook has the variable of the node that runs it, and may speak for another one.
    @Test func anOptionNamesTheNodeWhateverTheVariableSays() throws {
        let given = environment.merging(["PARLANCE_SOCKET": "/p"]) { $1 }
        #expect(try paths(data: "/srv/a", given).socketToUse() == "/srv/a/control.sock")
        #expect(try paths(profile: "work", given).socketToUse() == "/run/user/7/parlance/work/control.sock")
        #expect(try paths(profile: "work", socket: "/s", given).socketToUse() == "/s")
        #expect(try paths(profile: "work", given).socketToServe == "/p", "the daemon serves where it is told")
    }

    /// A variable that no option lets hold cannot stop a command, whatever is wrong with it; what is used is checked.
    @Test(arguments: [String(repeating: "x", count: 120), ArgumentText.text([0x2F, 0xFF] as [UInt8])])
    func aVariableThatIsNotUsedStopsNoCommand(_ path: String) throws {
        let given = environment.merging(["PARLANCE_SOCKET": path]) { $1 }
        #expect(try paths(profile: "work", given).socketToUse() == "/run/user/7/parlance/work/control.sock")
        #expect(try paths(data: "/srv/a", given).socketToUse() == "/srv/a/control.sock")
        #expect(try paths(profile: "work", socket: "/s", given).socketToUse() == "/s")
        #expect(throws: ControlError.self) { try paths(given) }
        #expect(throws: ControlError.self) { try paths(profile: "work", socket: path, given) }
        // The daemon would serve there.
        let work = try paths(profile: "work", given)
        #expect(throws: ControlError.self) { try work.checkSocketToServe() }
    }

    @Test func anEmptyOptionMeansNoNode() {
        #expect(throws: ControlError.self) { try paths(data: "", environment) }
        #expect(throws: ControlError.self) { try paths(socket: "", environment) }
    }

    @Test func longPathsGetAShortPlaceOrAClearError() throws {
        let long = "/" + String(repeating: "x", count: 120)
        let one = try paths(data: long, environment).socketToServe
        let two = try paths(data: long + "y", environment).socketToServe
        #expect(one.hasPrefix("/tmp/parlance-7/") && one.utf8.count <= ControlLimits.socketPathBytes)
        #expect(one != two)
        #expect(try paths(["HOME": "/h", "XDG_RUNTIME_DIR": long]).socketToServe == "/tmp/parlance-7/control.sock")
        #expect(throws: ControlError.self) { try paths(socket: long, environment) }
    }

    @Test(arguments: ["", ".", "..", "a/b", "a b", "é", String(repeating: "x", count: 33)])
    func refusesProfileNames(_ name: String) {
        #expect(throws: ControlError.self) { try paths(profile: name, environment) }
    }

    @Test func aCommandFindsWhatTheDaemonWrote() throws {
        let folder = try ServerFixture.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try paths(data: folder, socket: "/run/there.sock", [:])
        let command = try paths(data: folder, environment)
        #expect(command.socketToUse() == folder + "/control.sock")
        try daemon.publish()
        #expect(command.socketToUse() == "/run/there.sock")
        let attributes = try FileManager.default.attributesOfItem(atPath: daemon.pathFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        daemon.withdraw()
        #expect(command.socketToUse() == folder + "/control.sock")
        for bad in ["", "relative\n", "/a\u{1B}b\n", "/" + String(repeating: "x", count: 200)] {
            try Data(bad.utf8).write(to: URL(fileURLWithPath: command.pathFile))
            #expect(command.socketToUse() == folder + "/control.sock")
        }
    }
}
