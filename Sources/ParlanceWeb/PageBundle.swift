import ParlanceControl
import ParlanceSodium

/// The modules of the page in two files: a browser needs milliseconds for each request.
///
/// Each module becomes a function that runs when the module is first needed, and returns what it exports. The first file
/// has what the page starts with: its parentheses let browsers compile these functions while they read them. The second
/// has what is only loaded later, with `import()`. The name of each module serves a line that exports the same, so that
/// there is one instance whoever imports it.
///
/// It reads the forms that the page keeps to (`PageBundleTests`): an import is a line
/// `import { a, b as c } from './name.js';`, an export begins a line with `export const`, `export function` or
/// `export async function`, and no two modules need each other before they run.
struct PageBundle {
    /// The name of the second file.
    static let later = "later.js"

    /// What is served under the names of the modules, and of the second file.
    let files: [String: String]

    /// - Parameters:
    ///   - texts: those of the modules by name.
    ///   - entry: the module that the page starts with, whose name the first file gets. What it loads with `import()` is in
    ///     that file too.
    init(_ texts: [String: String], entry: String) {
        var modules = texts.mapValues { Module($0) }
        let start = modules.removeValue(forKey: entry) ?? Module("")
        var first: Set<String> = []
        var next = start.needs + start.needsLater
        while let name = next.popLast() {
            if first.insert(name).inserted { next += modules[name]?.needs ?? [] }
        }
        var files: [String: String] = [:]
        var functions = (first: "", later: "")
        for (name, module) in modules.sorted(by: { $0.key < $1.key }) {
            let exports = module.exports.joined(separator: ", ")
            let function = "'\(name)': (() => {\n\(module.body)\nreturn { \(exports) };\n}),\n"
            if first.contains(name) { functions.first += function } else { functions.later += function }
            let isThere = first.contains(name) ? "" : "import './\(Self.later)';\n"
            let shared = "import { $load } from './\(entry)';\nexport const { \(exports) } = $load('\(name)');\n"
            files[name] = isThere + shared
        }
        let version = Self.version(of: texts)
        files[Self.later] = """
            import { $load, $loading, $modules, $version } from './\(entry)';
            if ($version !== '\(version)') throw new Error('The two files are of different versions.');
            Object.assign($modules, {
            \(functions.later)});

            """
        files[entry] = """
            export const $modules = {
            \(functions.first)};
            const $ran = {};
            export const $load = (name) => ($ran[name] ??= $modules[name]());
            export const $version = '\(version)';
            let $failures = 0;
            export const $loading = async (name) => {
              // A browser remembers what it could not load by its address.
              if (!$modules[name]) await import(`./\(Self.later)?${$failures}`).catch((error) => { $failures += 1; throw error; });
              return $load(name);
            };
            \(start.body)

            """
        self.files = files
    }

    /// Differs with any of the texts: a page that is open while the program is replaced has the first file of another.
    private static func version(of texts: [String: String]) -> String {
        let all = texts.sorted { $0.key < $1.key }.map(\.value).joined()
        return Hex.text(Array(SHA256.hash(Array(all.utf8)).prefix(8)))
    }

    /// A module as the body of a function.
    struct Module {
        let body: String
        /// The names that it exports.
        let exports: [String]
        /// The modules that it imports, and those that it loads later.
        let needs: [String]
        let needsLater: [String]

        init(_ text: String) {
            var exports: [String] = []
            var lines: [Substring] = []
            var needs: [String] = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let (names, module) = Self.imported(line) {
                    lines.append("const {\(names)} = $load('\(module)');")
                    needs.append(module)
                } else if line.hasPrefix("export ") {
                    lines.append(line.dropFirst("export ".count))
                    exports.append(Self.name(lines[lines.count - 1]))
                } else {
                    lines.append(line)
                }
            }
            let body = lines.joined(separator: "\n")
            let parts = body.split(separator: "import('./", omittingEmptySubsequences: false)
            needsLater = parts.dropFirst().map { String($0.prefix { $0 != "'" }) }
            self.body = parts.joined(separator: "$loading('")
            self.exports = exports
            self.needs = needs
        }

        /// The names of an import, as a pattern, and the module; `nil` for any other line.
        private static func imported(_ line: Substring) -> (names: String, module: String)? {
            guard line.hasPrefix("import {"), let end = line.firstRange(of: "} from './") else { return nil }
            let names = line[..<end.lowerBound].dropFirst("import {".count).replacing(" as ", with: ": ")
            return (String(names), String(line[end.upperBound...].prefix { $0 != "'" }))
        }

        /// What a declaration declares.
        private static func name(_ declaration: Substring) -> String {
            let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
            return String(words.first { !["const", "async", "function", "class"].contains($0) } ?? "")
        }
    }
}
