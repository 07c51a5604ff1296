extension Duration {
    /// The length in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    /// The length in milliseconds.
    var milliseconds: Double { seconds * 1000 }
}
