package import ParlanceCore

/// Who watches a world: checkers, counters, traces.
package protocol WorldObserver: AnyObject {
    /// A node's process has begun; its engine is there and has not been told anything.
    func started(_ node: Int)
    func ended(_ node: Int)
    /// An engine is told a fact.
    func told(_ input: Input, _ node: Int)
    /// An engine decided something. It has not been carried out.
    func decided(_ effect: Effect, _ node: Int)
    /// A batch is durable on a node's disk, whether or not the engine will hear of it.
    func synced(_ batch: PersistBatch, _ node: Int)
    /// A fault was made, or something in the world went another way than asked.
    func happened(_ what: @autoclosure () -> String, kind: String)
    /// A rule of the simulator itself was found broken.
    func violated(_ what: String)
}
