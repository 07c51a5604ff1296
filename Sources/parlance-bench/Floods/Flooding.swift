/// Something that a daemon has to bear for a while.
protocol Flooding: Sendable {
    /// How many connections it tries to have; 0: none.
    var connections: Int { get }
    /// Whether the daemon completes handshakes of it.
    var isAnswered: Bool { get }
    func start()
    /// Ends the flood.
    func stop() throws -> Flood.Figures
}
