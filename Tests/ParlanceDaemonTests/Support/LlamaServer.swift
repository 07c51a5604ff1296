import Foundation
import Testing

/// The server of llama.cpp on loopback, with a small model of random numbers: its answers make no sense, but have every form.
struct LlamaServer {
    /// The Python that has the packages `xllamacpp` and `gguf`; nil: there is none.
    static let python = ProcessInfo.processInfo.environment["PARLANCE_LLAMA"]
        .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }

    let address: String
    private let process: Process

    /// The seed is fixed, so that each run has the same model.
    private static let script = #"""
        import sys, gguf, numpy, xllamacpp
        path = sys.argv[1] + "/tiny.gguf"
        random = numpy.random.default_rng(7)
        width, inner, heads, layers, context = 64, 128, 4, 2, 8192
        kind = gguf.TokenType
        plain = list("abcdefghijklmnopqrstuvwxyz\u2581.,?!\n[]0123456789:{}\"")
        tokens = ["<unk>", "<s>", "</s>"] + ["<0x%02X>" % byte for byte in range(256)] + plain
        kinds = [kind.UNKNOWN, kind.CONTROL, kind.CONTROL] + [kind.BYTE] * 256 + [kind.NORMAL] * len(plain)
        model = gguf.GGUFWriter(path, "llama")
        model.add_name("tiny")
        model.add_context_length(context)
        model.add_embedding_length(width)
        model.add_feed_forward_length(inner)
        model.add_block_count(layers)
        model.add_head_count(heads)
        model.add_head_count_kv(heads)
        model.add_layer_norm_rms_eps(1e-5)
        model.add_rope_dimension_count(width // heads)
        model.add_tokenizer_model("llama")
        model.add_token_list([token.encode() for token in tokens])
        model.add_token_scores([0.0] * 259 + [-float(rank) for rank in range(len(plain))])
        model.add_token_types([int(one) for one in kinds])
        model.add_bos_token_id(1)
        model.add_eos_token_id(2)
        model.add_unk_token_id(0)
        model.add_vocab_size(len(tokens))
        model.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")
        def noise(*shape): return (random.standard_normal(shape) * 0.3).astype(numpy.float32)
        model.add_tensor("token_embd.weight", noise(len(tokens), width))
        model.add_tensor("output.weight", noise(len(tokens), width))
        model.add_tensor("output_norm.weight", numpy.ones(width, numpy.float32))
        for layer in range(layers):
            name = "blk.%d." % layer
            for part in "attn_norm", "ffn_norm":
                model.add_tensor(name + part + ".weight", numpy.ones(width, numpy.float32))
            for part in "attn_q", "attn_k", "attn_v", "attn_output":
                model.add_tensor(name + part + ".weight", noise(width, width))
            for part, shape in ("ffn_gate", (inner, width)), ("ffn_up", (inner, width)), ("ffn_down", (width, inner)):
                model.add_tensor(name + part + ".weight", noise(*shape))
        model.write_header_to_file()
        model.write_kv_data_to_file()
        model.write_tensors_to_file()
        model.close()
        settings = xllamacpp.CommonParams()
        settings.model.path, settings.n_ctx, settings.port, settings.cpuparams.n_threads = path, context, 0, 1
        settings.n_batch = settings.n_ubatch = context
        settings.embedding, settings.pooling_type = True, xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        server = xllamacpp.Server(settings)
        print(server.listening_address, flush=True)
        sys.stdin.read()
        """#

    /// - Parameter folder: where the model is written.
    init(in folder: URL) throws {
        process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.python))
        process.arguments = ["-c", Self.script, folder.path]
        process.standardInput = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = line.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(address.hasPrefix("http://127.0.0.1:"), "the server of llama.cpp says \(line)")
    }

    func end() { kill(process.processIdentifier, SIGKILL) }
}
