package import ParlanceCore

/// Receives what happens on links: the node's inbox.
/// All methods are called on an event loop's thread, so they must return at once. Each dial is answered by exactly one
/// `linkOpened` or `dialFailed`; each `linkOpened` is followed by exactly one `linkClosed`, also after a local `close`.
package protocol LinkObserver: Sendable {
    /// Receives what happened, in order: at most `LinkService.batch` frames at once.
    /// It accepts events even when full, so that no end of a link is lost; links stop reading as long as it is full for
    /// them.
    func offer(_ inputs: [Input])

    /// Whether a link must stop reading from its socket.
    func isFull(for link: LinkID) -> Bool

    /// Calls `resume` once, as soon as it is not full for the link any more; at once if it is not full now.
    func whenDrained(_ link: LinkID, _ resume: @escaping @Sendable () -> Void)
}
