/// The modules of the page in one file: a browser asks once, where each request costs it milliseconds.
///
/// Each module becomes a function that runs when the module is first needed, and returns what it exports. The name of
/// each module serves a line that exports the same, so that there is one instance whoever imports it.
///
/// It reads the forms that the page keeps to (`PageBundleTests`): an import is a line
/// `import { a, b as c } from './name.js';`, an export begins a line with `export const`, `export function` or
/// `export async function`, and no two modules need each other before they run.
struct PageBundle {
    /// What is served under the names of the modules.
    let files: [String: String]

    /// - Parameters:
    ///   - modules: their texts by name.
    ///   - entry: the module that the page starts with, whose name the one file gets.
    init(_ modules: [String: String], entry: String) {
        var files: [String: String] = [:]
        var functions: [String] = []
        var start = ""
        for (name, text) in modules.sorted(by: { $0.key < $1.key }) {
            let module = Module(text)
            if name == entry {
                start = module.body
                continue
            }
            let exports = module.exports.joined(separator: ", ")
            functions.append("'\(name)': () => {\n\(module.body)\nreturn { \(exports) };\n},")
            files[name] = "import { $load } from './\(entry)';\nexport const { \(exports) } = $load('\(name)');\n"
        }
        files[entry] = """
            const $modules = {
            \(functions.joined(separator: "\n"))
            };
            const $ran = {};
            export const $load = (name) => ($ran[name] ??= $modules[name]());
            const $loading = async (name) => $load(name);
            \(start)

            """
        self.files = files
    }

    /// A module as the body of a function.
    struct Module {
        let body: String
        /// The names that it exports.
        let exports: [String]

        init(_ text: String) {
            var exports: [String] = []
            var lines: [Substring] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let needed = Self.needed(line) {
                    lines.append(needed)
                } else if line.hasPrefix("export ") {
                    lines.append(line.dropFirst("export ".count))
                    exports.append(Self.name(lines[lines.count - 1]))
                } else {
                    lines.append(line)
                }
            }
            body = lines.joined(separator: "\n").replacing("import('./", with: "$loading('")
            self.exports = exports
        }

        /// An import as a declaration; `nil` for any other line.
        private static func needed(_ line: Substring) -> Substring? {
            guard line.hasPrefix("import {"), let end = line.firstRange(of: "} from './") else { return nil }
            let names = line[..<end.lowerBound].dropFirst("import {".count).replacing(" as ", with: ": ")
            return "const {\(names)} = $load('\(line[end.upperBound...].prefix { $0 != "'" })');"
        }

        /// What a declaration declares.
        private static func name(_ declaration: Substring) -> String {
            let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
            return String(words.first { !["const", "async", "function", "class"].contains($0) } ?? "")
        }
    }
}
