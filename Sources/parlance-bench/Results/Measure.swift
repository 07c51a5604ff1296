/// One line of the table: a value, another value to compare it with, and its aim.
struct Measure {
    enum Aim {
        case below(Double)
        case above(Double)
        /// As a multiple of the other value.
        case timesAtMost(Double)
        case timesAtLeast(Double)
        /// For a value that is a ratio itself.
        case timesBelow(Double)
    }

    /// The other value.
    struct Other {
        let title: String
        let name: String
        var unit = ""
        /// Whether the table shows the ratio of the two.
        var isDivisor = true
    }

    /// A value's name in braces is replaced by that value.
    let title: String
    let name: String
    var unit = ""
    var beside: Other?
    /// Whether the line is left out if the other value is unknown.
    var needsOther = false
    var aim: Aim?
}
