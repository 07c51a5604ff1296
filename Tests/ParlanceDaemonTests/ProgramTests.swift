import Testing

/// Tests with the real programs; they run one after the other, because they share the processors with what they start.
@Suite(.serialized) struct ProgramTests {}
