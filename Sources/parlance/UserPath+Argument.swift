package import ArgumentParser
import ParlanceControl
import ParlanceWords

extension UserPath: ExpressibleByArgument {
    package var defaultValueDescription: String { shown }

    package static var defaultCompletionKind: CompletionKind { .file() }
}
