/// Counts what happened: a fault or a branch of the protocol that no seed reaches is not tested.
package final class Coverage {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    package func count(_ what: String, _ times: Int = 1) {
        counts[what, default: 0] += times
    }

    package func merge(_ other: Coverage) {
        for (what, times) in other.counts { count(what, times) }
    }
}
