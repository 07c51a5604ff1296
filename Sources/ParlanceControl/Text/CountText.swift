/// Numbers of things in words.
package enum CountText {
    /// `1 message`, `2 messages`.
    package static func words(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
