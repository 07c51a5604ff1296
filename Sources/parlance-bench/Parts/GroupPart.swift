/// A group in one process, in virtual time: its traffic does not depend on the machine.
enum GroupPart: Part {
    static let name = "groups"
    static let about = "a message to a group, healing after a cut, what a delivery costs among many, a charter"

    private static let seconds = 1_800
    /// What an office of a hundred writes into its charter in some years.
    private static let charterEvents = 1_000
    /// Events that count, and events that do not: as many of each as may be held (charter.md).
    private static let mostCharterEvents = 8_192

    static func measure(_ bench: Bench) throws {
        let amounts = bench.amounts
        let program = bench.program("parlance-simulate")
        Progress.note(
            "A group of \(amounts.members): a message, and \(amounts.cut) messages while its halves are cut off"
        )
        let group = try Program.figures(
            of: [program, "group", "--members", "\(amounts.members)", "--missed", "\(amounts.cut)"],
            in: bench.folder,
            within: seconds
        )
        bench.results.add("group_members", Double(amounts.members))
        bench.results.add("group_cut_messages", Double(amounts.cut))
        bench.results.add("group_frames_per_member_at_once", group["message_frames_per_member_at_once"])
        bench.results.add("group_frames_per_member", group["message_frames_per_member"])
        bench.results.add("group_bytes_per_member", group["message_bytes_per_member"])
        bench.results.add("group_healing_ratio", group["heal_ratio"])
        bench.results.add("group_healing_bytes", group["heal_bytes"])
        Progress.note("\(amounts.pair) messages of two authors, then \(amounts.written) of \(amounts.authors)")
        func authors(_ count: Int, _ messages: Int) throws -> [String: Double] {
            let folder = "\(bench.folder)/authors\(count)"
            return try Program.figures(
                of: [program, "authors", "--authors", "\(count)", "--messages", "\(messages)", "--folder", folder],
                in: bench.folder,
                within: seconds
            )
        }
        bench.results.add("pair_delivery_us", try authors(2, amounts.pair)["processor_us_per_delivery"])
        let many = try authors(amounts.authors, amounts.written)
        bench.results.add("group_authors", many["authors"])
        bench.results.add("group_dependencies_per_event", many["dependencies_per_event"])
        bench.results.add("group_wire_bytes_per_event", many["wire_bytes_per_event"])
        bench.results.add("group_disk_bytes_per_event", many["disk_bytes_per_event"])
        bench.results.add("group_delivery_us", many["processor_us_per_delivery"])
        bench.results.add("group_engine_mb", many["engine_mb"])
        Progress.note("A charter of \(charterEvents) events, and the largest that there may be")
        func charter(_ events: Int, void: Int = 0) throws -> [String: Double] {
            try Program.figures(
                of: [program, "charters", "--events", "\(events)", "--void", "\(void)", "--rounds", "3"],
                in: bench.folder,
                within: seconds
            )
        }
        let usual = try charter(charterEvents)
        bench.results.add("charter_evaluation_ms", usual["evaluation_ms"])
        bench.results.add("charter_checks_per_event", usual["checks_per_event"])
        let largest = try charter(mostCharterEvents, void: mostCharterEvents)
        bench.results.add("charter_worst_ms", largest["evaluation_ms"])
    }
}
