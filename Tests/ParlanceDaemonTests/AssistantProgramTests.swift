import Testing

/// Tests of the assistant with the real programs, one after another. They run beside those of `ProgramTests`: the assistant
/// works at the lowest priority, and keeps no other program waiting.
@Suite(.serialized) struct AssistantProgramTests {}
