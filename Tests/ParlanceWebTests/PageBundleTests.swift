import Testing

@testable import ParlanceWeb

@Suite struct PageBundleTests {
    private static let modules = PageAssets.sources
        .filter { $0.name.hasSuffix(".js") && $0.name != "worker.js" }
        .map { (name: $0.name, text: String(decoding: $0.bytes, as: UTF8.self)) }

    @Test func aModuleBecomesTheBodyOfAFunction() {
        let module = PageBundle.Module(
            """
            // What it is.
            import { a, b as c } from './other.js';

            export const one = a(c);
            const two = () => import('./late.js');
            export async function three() { return 'export const no'; }
            """
        )
        #expect(
            module.body == """
                // What it is.
                const { a, b: c } = $load('other.js');

                const one = a(c);
                const two = () => $loading('late.js');
                async function three() { return 'export const no'; }
                """
        )
        #expect(module.exports == ["one", "three"] && module.needs == ["other.js"] && module.needsLater == ["late.js"])
    }

    /// What is only loaded later is in a file of its own, and what it imports too, unless the page starts with that.
    @Test func eachModuleIsServedUnderItsName() throws {
        let texts = [
            "main.js": "import { b } from './b.js';\nb();\nawait import('./c.js');",
            "b.js": "export const b = () => 1;",
            "c.js": "import { b } from './b.js';\nconst d = () => import('./d.js');",
            "d.js": "import { b } from './b.js';\nimport { e } from './e.js';", "e.js": "export const e = 1;",
        ]
        let files = PageBundle(texts, entry: "main.js").files
        #expect(Set(files.keys) == Set(texts.keys).union(["later.js"]))
        #expect(files["b.js"] == "import { $load } from './main.js';\nexport const { b } = $load('b.js');\n")
        #expect(files["e.js"]?.hasPrefix("import './later.js';\nimport { $load }") == true)
        let (main, later) = try (#require(files["main.js"]), #require(files["later.js"]))
        #expect(main.hasSuffix("\nconst { b } = $load('b.js');\nb();\nawait $loading('c.js');\n"))
        #expect(main.contains("'b.js': (() => {\nconst b = () => 1;\nreturn { b };\n}),") && main.contains("'c.js': "))
        #expect(!main.contains("'e.js': ") && later.contains("'d.js': ") && later.contains("'e.js': "))
        #expect(!later.contains("'b.js': "))
        // The second file names the version of the first.
        let version = try #require(main.firstMatch(of: /export const \$version = '(\w{16})';/)).1
        #expect(later.contains("if ($version !== '\(version)') throw"))
        let changed = PageBundle(texts.merging(["e.js": "export const e = 2;"]) { $1 }, entry: "main.js").files
        #expect(changed["main.js"]?.contains(version) == false)
    }

    /// The forms that the bundle reads, and no others, stand in the page's modules.
    @Test(arguments: modules.map(\.name))
    func theModulesKeepToTheForms(name: String) throws {
        let text = try #require(Self.modules.first { $0.name == name }?.text)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("import") {
                #expect(line.wholeMatch(of: /import \{ [\w$, ]+ \} from '\.\/\w+\.js';/) != nil, "\(line)")
            }
            if line.hasPrefix("export") {
                #expect(line.prefixMatch(of: /export (const|function|async function) \w+/) != nil, "\(line)")
                #expect(line.prefixMatch(of: /export const [^={(]+=[^={(]*, \w+ =/) == nil, "two in one: \(line)")
            }
            #expect(!line.contains("$load") && !line.contains("$modules") && !line.contains("import.meta"), "\(line)")
        }
        let module = PageBundle.Module(text)
        #expect(!module.exports.contains("") && Set(module.exports).count == module.exports.count)
    }

    /// A module that needs one that needs it would see nothing of it while it starts.
    @Test func noTwoModulesNeedEachOther() throws {
        var needs: [String: [String]] = [:]
        for (name, text) in Self.modules {
            needs[name] = text.matches(of: /(?m)^import .* from '\.\/(\w+\.js)';/).map { String($0.1) }
        }
        var free: Set<String> = []
        while free.count < needs.count {
            let next = needs.keys.filter { name in !free.contains(name) && needs[name]!.allSatisfy(free.contains) }
            guard !next.isEmpty else { break }
            free.formUnion(next)
        }
        #expect(Set(needs.keys).subtracting(free).sorted() == [])
        #expect(Set(needs.values.joined()).isSubset(of: needs.keys))
    }
}
