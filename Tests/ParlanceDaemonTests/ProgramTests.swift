import Testing

/// Tests that drive the real programs; one after the other, because they share the processors with what they start.
@Suite(.serialized) struct ProgramTests {}
