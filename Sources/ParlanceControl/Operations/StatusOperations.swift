/// `status`: the state of the node.
package struct StatusOperation: BareOperation {
    package typealias Reply = NodeStatus
    package static let method = "status"

    package init() {}
}

/// `doctor`: what is wrong, in general or with one person.
package struct DoctorOperation: ControlOperation {
    package typealias Reply = Findings
    package static let method = "doctor"

    package var who: String?

    package init(who: String? = nil) {
        self.who = who
    }
}

/// `stats`: figures for monitoring.
package struct StatsOperation: BareOperation {
    package typealias Reply = StatsReply
    package static let method = "stats"

    package init() {}
}

/// The figures of a node.
package struct StatsReply: Codable, Equatable, Sendable {
    package var metrics: [Metric]

    package init(metrics: [Metric]) {
        self.metrics = metrics
    }
}
