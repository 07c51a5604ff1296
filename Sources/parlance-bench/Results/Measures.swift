extension Measure {
    /// All lines of the table. The aims hold on a quiet machine.
    static let all = messages + files + stores + searches + assistants + groups + floods + programs

    private static let messages = [
        Measure(
            title: "sent to delivered, p50",
            name: "send_to_delivered_p50_ms",
            unit: " ms",
            beside: Other(title: "ideal", name: "ideal_p50_ms", unit: " ms"),
            aim: .timesAtMost(4.5)
        ),
        Measure(
            title: "sent to delivered, p99",
            name: "send_to_delivered_p99_ms",
            unit: " ms",
            beside: Other(title: "ideal", name: "ideal_p99_ms", unit: " ms")
        ),
        Measure(
            title: "a key to the chat screen, {chat_messages_per_second} messages a second, p50",
            name: "chat_key_p50_ms",
            unit: " ms"
        ),
        Measure(title: "  p99", name: "chat_key_p99_ms", unit: " ms", aim: .below(16)),
        Measure(
            title: "messages a second",
            name: "messages_per_second",
            beside: Other(title: "ideal", name: "ideal_messages_per_second"),
            aim: .timesAtLeast(0.2)
        ),
        Measure(
            title: "  beside another messenger",
            name: "messages_per_second",
            beside: Other(title: "Tox", name: "tox_messages_per_second"),
            needsOther: true
        ),
        Measure(
            title: "a text of 38 bytes: written by its sender",
            name: "sender_disk_bytes_per_message",
            unit: " B",
            aim: .below(22_000)
        ),
        Measure(title: "  by its receiver", name: "receiver_disk_bytes_per_message", unit: " B", aim: .below(22_000)),
        Measure(title: "  on the wire, both ways", name: "wire_bytes_per_message", unit: " B"),
    ]

    private static let files = [
        Measure(
            title: "a file of {file_mb} MiB, a second",
            name: "file_mb_per_second",
            unit: " MiB",
            beside: Other(title: "sealing and hashing alone", name: "file_limit_mb_per_second", unit: " MiB"),
            aim: .timesAtLeast(0.5)
        ),
        Measure(
            title: "  beside another messenger",
            name: "file_mb_per_second",
            unit: " MiB",
            beside: Other(title: "Tox", name: "tox_file_mb_per_second", unit: " MB"),
            needsOther: true
        ),
        Measure(title: "  processor of both sides, a GB", name: "file_processor_s_per_gb", unit: " s"),
        Measure(title: "  memory at most", name: "file_resident_mb", unit: " MB", aim: .below(60)),
        Measure(
            title: "  a message meanwhile, p99",
            name: "message_beside_file_p99_ms",
            unit: " ms",
            beside: Other(title: "alone", name: "message_alone_p99_ms", unit: " ms"),
            aim: .timesAtMost(3)
        ),
        Measure(title: "  the file meanwhile, a second", name: "file_beside_messages_mb_per_second", unit: " MiB"),
        Measure(title: "{small_files} files of 10 KiB, a second", name: "small_files_per_second", aim: .above(500)),
    ]

    private static let stores = [
        Measure(
            title: "catching up {missed_messages} messages, a second",
            name: "caught_up_per_second",
            beside: Other(title: "ideal", name: "ideal_caught_up_per_second"),
            aim: .timesAtLeast(0.5)
        ),
        Measure(title: "  memory at most", name: "caught_up_peak_rss_mb", unit: " MB", aim: .below(100)),
        Measure(title: "  signature checks a message", name: "caught_up_checks_per_message", aim: .below(0.05)),
        Measure(title: "ready with {stored_messages} messages", name: "ready_ms", unit: " ms", aim: .below(150)),
        Measure(title: "idle memory", name: "idle_rss_mb", unit: " MB", aim: .below(40)),
        Measure(title: "idle processor", name: "idle_cpu_percent", unit: " %", aim: .below(0.2)),
        Measure(title: "last page of {long_messages} messages", name: "page_ms", unit: " ms", aim: .below(10)),
        Measure(title: "  the first after a start", name: "first_page_ms", unit: " ms", aim: .below(10)),
        Measure(title: "  the whole command", name: "history_command_ms", unit: " ms"),
    ]

    private static let searches = [
        Measure(title: "searching {searched_messages} messages", name: "search_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  a word that most have", name: "search_usual_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  a word that few have", name: "search_seldom_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  three words that most have", name: "search_several_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  a phrase of two of them", name: "search_phrase_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  a beginning of two letters", name: "search_beginning_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  a part of a word", name: "search_part_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  a word by one person", name: "search_person_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  two words before all messages", name: "search_nothing_ms", unit: " ms", aim: .below(50)),
        Measure(title: "  the whole command", name: "search_command_ms", unit: " ms"),
        Measure(title: "  the index behind the messages", name: "index_seconds", unit: " s"),
    ]

    private static let assistants = [
        Measure(title: "nearest of 100,000 embeddings, p50", name: "scan_100k_ms", unit: " ms", aim: .below(30)),
        Measure(title: "  p95", name: "scan_100k_p95_ms", unit: " ms", aim: .below(30)),
        Measure(title: "nearest of 1,000,000 embeddings, p50", name: "scan_1m_ms", unit: " ms", aim: .below(300)),
        Measure(title: "  p95", name: "scan_1m_p95_ms", unit: " ms", aim: .below(300)),
        Measure(title: "the assistant off, {read_messages} messages", name: "assistant_off_mb", unit: " MB"),
        Measure(title: "  on", name: "assistant_on_mb", unit: " MB"),
        Measure(title: "  the model in use", name: "assistant_model_mb", unit: " MB"),
        Measure(title: "    more than off", name: "assistant_growth_mb", unit: " MB", aim: .below(60)),
        Measure(title: "  at most, while all is read with the model", name: "assistant_peak_mb", unit: " MB"),
        Measure(title: "  the model dropped", name: "assistant_dropped_mb", unit: " MB"),
        Measure(title: "  its file, a message", name: "assistant_bytes_per_message", unit: " B"),
        Measure(title: "    with embeddings", name: "assistant_model_bytes_per_message", unit: " B"),
        Measure(title: "  reading a message", name: "assistant_reading_ms", unit: " ms"),
        Measure(title: "    with the model", name: "assistant_model_reading_ms", unit: " ms"),
        Measure(title: "  the first question after a start", name: "assistant_first_question_ms", unit: " ms"),
        Measure(title: "    the next ones", name: "assistant_question_ms", unit: " ms"),
    ]

    private static let groups = [
        Measure(
            title: "group of {group_members}: frames a member, a message",
            name: "group_frames_per_member_at_once",
            beside: Other(title: "later", name: "group_frames_per_member", isDivisor: false)
        ),
        Measure(title: "  bytes a member, a message", name: "group_bytes_per_member"),
        Measure(title: "  bytes healing {group_cut_messages} messages", name: "group_healing_bytes"),
        Measure(title: "  beside the bytes missing", name: "group_healing_ratio", unit: " x", aim: .timesBelow(1.3)),
        Measure(
            title: "{group_authors} authors: bytes an event, on the wire",
            name: "group_wire_bytes_per_event",
            beside: Other(title: "dependencies", name: "group_dependencies_per_event", isDivisor: false)
        ),
        Measure(title: "  on disk", name: "group_disk_bytes_per_event"),
        Measure(
            title: "  processor a delivery, with the simulator",
            name: "group_delivery_us",
            unit: " us",
            beside: Other(title: "of two", name: "pair_delivery_us", unit: " us"),
            aim: .timesAtMost(5)
        ),
        Measure(title: "  memory of an engine", name: "group_engine_mb", unit: " MB", aim: .below(1)),
        Measure(
            title: "charter of 1,000: one more event",
            name: "charter_evaluation_ms",
            unit: " ms",
            beside: Other(title: "the largest", name: "charter_worst_ms", unit: " ms", isDivisor: false)
        ),
        Measure(
            title: "  an event of it, beside the check of a signature",
            name: "charter_checks_per_event",
            unit: " x",
            aim: .timesBelow(1)
        ),
    ]

    private static let floods =
        flood("half-open connections: a friend, p99", "attack_half_open")
        + flood("a byte a second: a friend, p99", "attack_drip")
        + flood("handshakes: a friend, p99", "attack_handshakes")
        + [Measure(title: "  whole handshakes a second", name: "attack_handshakes.handshakes_per_second")]
        + flood("strangers' links: a friend, p99", "attack_links")
        + flood("announcements: a friend, p99", "attack_announcements")
        + insider("large texts", "insider_texts")
        + insider("repeated summaries", "insider_summaries")
        + insider("made-up replicas", "insider_clocks")
        + insider("requests for bodies", "insider_wants")

    /// What the design allows one accepted peer.
    private static func insider(_ what: String, _ name: String) -> [Measure] {
        flood("an accepted peer's \(what): a friend, p99", name, overWithin: 5, memory: 32)
    }

    /// - Parameters:
    ///   - overWithin: seconds until a newcomer is answered again.
    ///   - memory: in MiB.
    private static func flood(_ title: String, _ name: String, overWithin: Double = 15, memory: Double = 64)
        -> [Measure]
    {
        [
            Measure(
                title: title,
                name: "\(name).p99_ms",
                unit: " ms",
                beside: Other(title: "before", name: "\(name).before_p99_ms", unit: " ms", isDivisor: false),
                aim: .below(250)
            ),
            Measure(
                title: "  over after",
                name: "\(name).recovery_s",
                unit: " s",
                beside: Other(title: "started", name: "\(name).started", isDivisor: false),
                aim: .below(overWithin)
            ),
            Measure(title: "  a friend afterwards, p99", name: "\(name).after_p99_ms", unit: " ms"),
            Measure(title: "  connections held at most", name: "\(name).held_most"),
            Measure(
                title: "  memory more than before",
                name: "\(name).memory_growth_mb",
                unit: " MB",
                aim: .below(memory)
            ),
            Measure(title: "  written to the disk", name: "\(name).disk_mb", unit: " MB"),
            Measure(title: "  processors in use", name: "\(name).processor_share"),
        ]
    }

    private static let programs = [
        Measure(title: "parlance send, the whole command", name: "send_command_ms", unit: " ms", aim: .below(15)),
        Measure(title: "parlance status", name: "status_command_ms", unit: " ms", aim: .below(10)),
        Measure(title: "  of which the program starts", name: "version_command_ms", unit: " ms"),
        Measure(title: "parlanced, stripped", name: "size_parlanced_mb", unit: " MB"),
        Measure(title: "parlance, stripped", name: "size_parlance_mb", unit: " MB", aim: .below(25)),
    ]
}
