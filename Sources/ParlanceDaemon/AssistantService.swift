import CParlanceSystem
import Dispatch
import ParlanceAssistant
import ParlanceControl
import ServiceLifecycle

/// Lets the assistant work until the services are shut down.
struct AssistantService: Service {
    let assistant: Assistant
    let node: any NodeControl

    /// Seconds between two looks whether the model is still needed.
    private static let interval = 60

    func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await cancelWhenGracefulShutdown { await assistant.run(node) } }
            group.addTask {
                await repeatedly(every: .seconds(Self.interval)) {
                    // What it left in the heap would stay there.
                    if assistant.rest() { parlance_return_memory() }
                }
            }
        }
    }
}
