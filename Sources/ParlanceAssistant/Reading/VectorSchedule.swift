import ParlanceWords

/// When embeddings are to be made, and why they could not be.
struct VectorSchedule {
    private(set) var isRunning = false
    private var isDue = false
    /// Why the last try failed; nil: it did not.
    private(set) var problem: Phrase?
    private var next = ContinuousClock.now
    private var pause = AssistantLimits.vectorPause

    /// Whether something is being done, or will be at once.
    var isActive: Bool { isRunning || isDue }

    mutating func want() { isDue = true }

    /// What makes them is another now.
    mutating func change() { (isDue, problem, pause) = (true, nil, AssistantLimits.vectorPause) }

    /// Whether a job is to begin.
    mutating func begin() -> Bool {
        guard isDue, !isRunning else { return false }
        isRunning = true
        return true
    }

    /// Whether the running job has something to do; if not, it is over.
    mutating func take() -> Bool {
        isRunning = isDue
        isDue = false
        return isRunning
    }

    /// The job could not begin; it is tried again.
    mutating func refused() { isRunning = false }

    mutating func succeeded() { (problem, pause) = (nil, AssistantLimits.vectorPause) }

    /// Ends the job. It is tried again with the next message, or after a pause, which is longer each time.
    mutating func failed(_ problem: Phrase, at now: ContinuousClock.Instant) {
        (isRunning, isDue) = (false, false)
        note(problem, at: now)
    }

    /// A question was not embedded either.
    mutating func note(_ problem: Phrase, at now: ContinuousClock.Instant) {
        // A try that a message or a question caused is no reason to wait longer.
        if self.problem == nil || now >= next {
            next = now + pause
            pause = min(pause * 2, AssistantLimits.longestVectorPause)
        }
        self.problem = problem
    }

    /// Has it tried again if the pause is over.
    mutating func passed(_ now: ContinuousClock.Instant) {
        if problem != nil, now >= next { isDue = true }
    }
}
