package import ParlanceCore

/// Observes a world: checkers, counters, traces.
package protocol WorldObserver: AnyObject {
    /// A node's process has begun; its engine exists and has not been told anything.
    func started(_ node: Int)
    func ended(_ node: Int)
    /// An engine is told a fact.
    func told(_ input: Input, _ node: Int)
    /// An engine decided something. It has not been carried out.
    func decided(_ effect: Effect, _ node: Int)
    /// A batch is durable on a node's disk, whether or not the engine will learn of it.
    func synced(_ batch: PersistBatch, _ node: Int)
    /// A fault was made, or something in the world did not happen as requested.
    func happened(_ what: @autoclosure () -> String, kind: String)
    /// A rule of the simulator itself is broken.
    func violated(_ what: String)
}
