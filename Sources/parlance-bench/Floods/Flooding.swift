/// Something that a daemon has to bear for a while.
protocol Flooding: Sendable {
    func start()
    /// Ends the flood.
    func stop() throws -> Flood.Figures
}
