import Foundation
import ParlanceCore
import ParlanceDaemon
import ParlanceProfile
import ParlanceWords

/// Any file, variables and flags: the result is settings, or an error that says what to correct where.
enum ConfigurationFuzz {
    /// One for each process, in memory.
    private static let file = "/dev/shm/parlance-fuzz-\(getpid()).yaml"

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        let kind = reader.byte()
        var environment: [String: String] = [:]
        var flags = FlagValues()
        if kind & 1 == 1 {
            let keys = SettingKey.allCases.map { $0.rawValue.uppercased().replacing("-", with: "_") } + ["X"]
            environment["PARLANCE_" + keys[reader.number(below: keys.count)]] = reader.text()
        }
        if kind & 2 == 2 {
            let keys = SettingKey.allCases
            flags.set(keys[reader.number(below: keys.count)], [reader.text()])
        }
        let text = reader.rest()
        guard (try? Data(text).write(to: URL(fileURLWithPath: file))) != nil else { return }
        defer { unlink(file) }
        do throws(DaemonError) {
            let settings = try SettingsSource(file: file, environment: environment, flags: flags).load()
            for endpoint in settings.peers { promise(!endpoint.host.isEmpty, "an address of nobody") }
        } catch {
            promise(!error.message.isEmpty && !error.advice.isEmpty, "an error that says nothing")
        }
    }

    static var seeds: [[UInt8]] {
        let file = """
            name: Ada
            port: 4747
            listen: [192.0.2.7, "::1"]
            peers:
              - "ship.example:4747"
              - "[2001:db8::7]:4747"
            mdns: auto
            mdns-interfaces: [eth0]
            hidden: true
            auto-accept: nobody
            notify: all
            quiet-hours: 22:00-07:00
            model-port: 11434
            file-rate: 2 MiB 8:00-18:00
            log-level: debug
            """
        return [
            [0] + Array(file.utf8), [0] + Array("# nothing\n".utf8), [0] + Array("name: [a, b]\nname: c\n".utf8),
            [0] + Array("nmae: Ada\n".utf8), [0] + Array("a: &x {b: *x}\n".utf8), [0] + Array("port: 70000".utf8),
            [1, 1] + FuzzReader.text("4747") + Array("name: |\n  Ada\n".utf8), [2, 3] + FuzzReader.text("host:1"),
        ]
    }
}
