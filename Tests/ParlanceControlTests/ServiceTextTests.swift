import Testing

@testable import parlance

@Suite struct ServiceTextTests {
    private static func report(
        state: String = "active",
        failure: String? = nil,
        file: String? = "/usr/lib/systemd/user/parlanced.service",
        isEnabled: Bool = true,
        lingers: Bool? = false
    ) -> ServiceReport {
        ServiceReport(
            unit: "parlanced.service",
            file: file,
            state: state,
            failure: failure,
            isEnabled: isEnabled,
            lingers: lingers,
            processID: 7,
            since: state == "active" ? "Mon 2026-11-23 07:18:49 UTC" : nil
        )
    }

    @Test func itSaysWhatRunsAndWhenItStarts() {
        #expect(
            Self.report().lines == [
                "parlanced runs as a service since Mon 2026-11-23 07:18:49 UTC.",
                "It starts when you log in and stops when you log out.",
                "To let it run always: parlance service install --linger",
            ]
        )
        #expect(
            Self.report(lingers: true).lines.last
                == "It starts with the machine and runs also while you are not logged in."
        )
        #expect(Self.report(isEnabled: false).lines.last?.contains("parlance service install") == true)
        #expect(Self.report(state: "failed", failure: "watchdog").lines.first == "The service failed (watchdog).")
        #expect(Self.report(file: nil).lines.last == "Install it: parlance service install")
    }

    @Test func theUnitNamesTheProgramAndTheProfile() {
        let unit = ServiceUnit(program: "/opt/parlance/parlanced", profile: "club")
        #expect(unit.name == "parlanced-club.service")
        #expect(unit.text().contains("\nExecStart=/opt/parlance/parlanced --profile club\n"))
        #expect(unit.text(mark: ServiceUnit.mark).hasPrefix(ServiceUnit.mark + "\n[Unit]\n"))
        #expect(ServiceUnit(program: "/usr/bin/parlanced").name == "parlanced.service")
        // The manager of an ordinary user cannot do what these lines ask: systemd ends such a service before it starts.
        #expect(!unit.text().contains("CapabilityBoundingSet"))
        #expect(unit.text().contains("PrivateUsers=yes"))
        #expect(unit.text().contains("LimitCORE=0"))
    }
}
