// swift-tools-version: 6.2
import PackageDescription

/// Whether contrib/fuzz builds: our own code is then watched by both sanitizers (SwiftPM's two flags come to one of them),
/// and the program that libFuzzer drives is there, which links in no other way.
let isFuzzed = Context.environment["PARLANCE_FUZZ"] != nil
let instrumented: [SwiftSetting] = isFuzzed ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : []

/// Whether release builds check what must always hold, as debug builds do (`invariant` in ParlanceWire).
let checksInvariants = isFuzzed || Context.environment["PARLANCE_INVARIANTS"] != nil
let checked: SwiftSetting =
    checksInvariants
    ? .define("PARLANCE_INVARIANTS") : .define("PARLANCE_INVARIANTS", .when(configuration: .debug))

/// Every Parlance target is compiled the same way: explicit existentials, internal imports, no warnings.
let strict: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
        checked,
    ] + instrumented

/// Tests drive these targets through hours of virtual time, and through whole models: debug builds optimise them, and keep
/// what they assert.
let exercised: [SwiftSetting] =
    strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// Generated code keeps its own style, so warnings stay warnings there.
let generated: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let hummingbird: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let fuzzer: [Target] =
    isFuzzed
    ? [
        .executableTarget(
            name: "parlance-fuzz",
            dependencies: ["ParlanceFuzz"],
            path: "Tests/parlance-fuzz",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        )
    ] : []

// Programs that people install export no names, and have their relocations in the short form (DT_RELR, glibc 2.36): the
// loader reads both tables whole, and they were 8 of the 44 MB that an idle daemon had in memory.
let delivered: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld"]
            + ["--no-export-dynamic", "--icf=safe", "-z", "pack-relative-relocs"].flatMap { ["-Xlinker", $0] },
        .when(platforms: [.linux], configuration: .release)
    )
]

let package = Package(
    name: "parlance",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "parlanced", targets: ["parlanced"]),
        .executable(name: "parlance", targets: ["parlance"]),
        .executable(name: "parlance-bench", targets: ["parlance-bench"]),
        .library(name: "parlance-bench-counter", type: .dynamic, targets: ["CBenchCounter"]),
        .executable(name: "parlance-scan", targets: ["parlance-scan"]),
        .executable(name: "parlance-simulate", targets: ["parlance-simulate"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C libraries of the system. (swift-system has a target CSystem already.)
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
        .systemLibrary(name: "CAvahiCore", providers: [.apt(["libavahi-core-dev"])]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
        .systemLibrary(name: "CParlanceSystem"),

        // The texts of other languages than English, compiled in.
        .target(name: "CParlanceCatalogue", exclude: ["de.po"]),
        // The files of the local page, compiled in.
        .target(name: "CParlancePage", exclude: ["assets"]),
        // The arguments of the program, which the Swift runtime can lose.
        .target(name: "CProgramArguments"),
        // What a thread may not do with its priority.
        .target(name: "CThreadPriority"),
        // What a crash handler does to a terminal.
        .target(name: "CTerminal"),

        // Pure: no clock, no randomness, no input or output, no tasks.
        .target(name: "ParlanceWords", dependencies: ["CParlanceCatalogue"], swiftSettings: strict),
        .target(name: "ParlanceSodium", dependencies: ["CSodium"], swiftSettings: strict),
        .target(name: "ParlanceNoise", dependencies: ["ParlanceSodium"], swiftSettings: strict),
        .target(name: "ParlanceWire", dependencies: [protobuf], swiftSettings: exercised),
        // It knows no other target, so that the core and the chat screen compare names alike.
        .target(name: "ParlanceLetters", swiftSettings: exercised),
        // The codes of errors. It knows no other target, so that the core and the node's API use the same.
        .target(name: "ParlanceErrorCode", swiftSettings: strict),
        // Values that know no rule of a conversation: names and limits, what a history is made of, what people are shown.
        .target(name: "ParlanceRecords", dependencies: ["ParlanceWire", "ParlanceSodium"], swiftSettings: exercised),
        // The second statement of the rules. It knows nothing of the first.
        .target(name: "ParlanceAudit", dependencies: ["ParlanceRecords", "ParlanceWire"], swiftSettings: exercised),
        .target(
            name: "ParlanceCore",
            dependencies: [
                "ParlanceHistory", "ParlanceLetters", "ParlanceErrorCode", "ParlanceRecords", "ParlanceWire",
                "ParlanceSodium",
                "CUtf8proc",
            ],
            swiftSettings: exercised,
            // The archive: the name of the shared library is another one in each release of Debian.
            linkerSettings: [.linkedLibrary(":libutf8proc.a")]
        ),
        .target(
            name: "ParlanceHistory",
            dependencies: ["ParlanceRecords", "ParlanceSodium", "ParlanceWire"],
            swiftSettings: exercised
        ),
        .target(name: "ParlanceTerminal", swiftSettings: strict),
        // It knows no other target, so that the command and the daemon can both use it.
        .target(name: "ParlancePictures", swiftSettings: strict),

        // The arithmetic of the embedding model. It is optimised in each configuration: tests run the whole model.
        .target(name: "CParlanceKernel", cSettings: [.unsafeFlags(["-O3"])]),

        // How SQLite reaches the files of a store.
        .target(name: "CStoreFiles", linkerSettings: [.linkedLibrary("sqlite3")]),

        // Shells: they talk to the machine and to people, never to each other.
        .target(
            name: "ParlanceStore",
            dependencies: [
                "ParlanceWords", "ParlanceHistory", "ParlanceRecords", "ParlanceCore", "ParlanceLetters",
                "ParlanceWire", "ParlanceSodium", "CParlanceSystem", "CStoreFiles", grdb, sqlite,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ParlanceFiles",
            dependencies: [
                "ParlanceRecords", "ParlanceCore", "ParlancePictures", "ParlanceSodium", "ParlanceWire",
                "ParlanceWords",
                "CParlanceSystem",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ParlanceNetwork",
            dependencies: [
                "ParlanceWords", "ParlanceCore", "ParlanceWire", "ParlanceNoise", "ParlanceSodium", "CDNSSD",
                "CAvahiCore", "CParlanceSystem",
                nioCore, nioPosix, logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ParlanceControl",
            dependencies: [
                "ParlanceWords", "ParlanceErrorCode", "CParlanceSystem", "CProgramArguments", nioCore, nioPosix,
                systemPackage,
            ],
            swiftSettings: strict
        ),
        // Pure: what people are told of the values of the node's API. It knows ParlanceControl for these values.
        .target(name: "ParlanceTexts", dependencies: ["ParlanceControl", "ParlanceWords"], swiftSettings: strict),
        .target(
            name: "ParlanceWeb",
            dependencies: [
                "ParlanceControl", "ParlanceErrorCode", "ParlanceSodium", "ParlanceWords", "CParlancePage",
                "CParlanceSystem", "CZlib",
                nioCore, nioPosix, nioHTTPTypes, hummingbird, httpTypes, lifecycle, logging, systemPackage,
            ],
            swiftSettings: strict
        ),
        // Pure: the embedding model, from a text to its vector, and the search for near ones.
        .target(
            name: "ParlanceEmbedding",
            dependencies: ["CParlanceKernel", "CUtf8proc"],
            swiftSettings: exercised,
            linkerSettings: [.linkedLibrary(":libutf8proc.a")]
        ),
        // It reads through NodeControl as any client does.
        .target(
            name: "ParlanceAssistant",
            dependencies: [
                "ParlanceControl", "ParlanceEmbedding", "ParlanceErrorCode", "ParlanceSodium", "ParlanceWords", "CZlib",
                grdb, nioCore, nioPosix, systemPackage, .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: exercised
        ),
        // Pure: the chat screen as a value. It knows ParlanceControl for the types of its operations and events.
        .target(
            name: "ParlanceChat",
            dependencies: ["ParlanceControl", "ParlanceLetters", "ParlanceTerminal", "ParlanceTexts", "ParlanceWords"],
            swiftSettings: strict
        ),

        // The application: the core with the shells that it needs.
        .target(
            name: "ParlanceProfile",
            dependencies: [
                "ParlanceControl", "ParlanceCore", "ParlanceErrorCode", "ParlanceRecords", "ParlanceSodium",
                "ParlanceStore", "ParlanceTexts", "ParlanceWire", "ParlanceWords", "CParlanceSystem", logging,
                systemPackage,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ParlanceNode",
            dependencies: [
                "ParlanceProfile",
                "ParlanceHistory", "ParlanceWords", "ParlanceRecords", "ParlanceErrorCode", "ParlanceCore",
                "ParlanceLetters", "ParlanceWire", "ParlanceSodium", "ParlanceStore", "ParlanceFiles",
                "ParlancePictures", "ParlanceNetwork", "ParlanceControl", "ParlanceTexts", "ParlanceWeb",
                "ParlanceAssistant", "CParlanceSystem", nioCore, logging, lifecycle,
            ],
            swiftSettings: strict
        ),

        // Assembly and programs.
        .target(
            name: "ParlanceDaemon",
            dependencies: [
                "ParlanceProfile", "ParlanceNode",
                "ParlanceHistory", "ParlanceWords", "ParlanceRecords", "ParlanceErrorCode", "ParlanceCore",
                "ParlanceLetters",
                "ParlanceWire",
                "ParlanceSodium", "ParlanceNoise", "ParlanceStore", "ParlanceFiles", "ParlancePictures",
                "ParlanceNetwork", "ParlanceControl", "ParlanceTexts", "ParlanceWeb",
                "ParlanceAssistant", "CParlanceSystem", "CSystemd",
                nioCore, nioPosix,
                logging,
                lifecycle, signals,
                configuration,
                systemPackage,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "parlanced",
            dependencies: [
                "ParlanceDaemon", "ParlanceNode", "ParlanceProfile", "ParlanceControl", "ParlanceTexts",
                "ParlanceWords", "CProgramArguments", "CThreadPriority", argumentParser, systemPackage,
            ],
            swiftSettings: strict,
            linkerSettings: delivered
        ),
        .executableTarget(
            name: "parlance",
            dependencies: [
                "ParlanceRecords", "ParlanceChat", "ParlanceTerminal", "ParlanceControl", "ParlanceFiles",
                "ParlancePictures", "ParlanceTexts",
                "ParlanceCore", "ParlanceErrorCode", "ParlanceWire", "ParlanceWords", "CTerminal", "CQREncode",
                "CProgramArguments",
                "CThreadPriority", argumentParser, systemPackage,
            ],
            swiftSettings: strict,
            linkerSettings: delivered
        ),
        .executableTarget(
            name: "parlance-bench",
            dependencies: [
                "ParlanceNetwork", "ParlanceRecords", "ParlanceCore", "ParlanceNoise", "ParlanceSodium", "ParlanceWire",
                "CProgramArguments", argumentParser,
            ],
            swiftSettings: strict
        ),
        // What the bench has loaded into a daemon to count its signature checks.
        .target(name: "CBenchCounter"),
        // What the bench starts to measure the assistant's scans.
        .executableTarget(
            name: "parlance-scan",
            dependencies: ["ParlanceAssistant", "ParlanceEmbedding", "CProgramArguments", argumentParser],
            swiftSettings: strict
        ),

        .executableTarget(
            name: "parlance-simulate",
            dependencies: [
                "ParlanceTestKit", "ParlanceStore", "ParlanceRecords", "ParlanceCore", "ParlanceWire", "ParlanceSodium",
                "CParlanceSystem", "CProgramArguments", grdb, argumentParser,
            ],
            swiftSettings: strict
        ),

        // Tests.
        .target(
            name: "ParlanceTestKit",
            dependencies: [
                "ParlanceAudit", "ParlanceErrorCode", "ParlanceHistory", "ParlanceRecords", "ParlanceCore",
                "ParlanceWire", "ParlanceSodium",
            ],
            swiftSettings: exercised
        ),
        .target(
            name: "ParlanceFuzz",
            dependencies: [
                "ParlanceTestKit", "ParlanceRecords", "ParlanceCore", "ParlanceWire", "ParlanceSodium", "ParlanceNoise",
                "ParlanceNetwork",
                "ParlanceControl", "ParlanceDaemon", "ParlanceNode", "ParlanceProfile", "ParlancePictures",
                "ParlanceWeb", "ParlanceWords", httpTypes,
                nioCore,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            path: "Tests/ParlanceFuzz",
            swiftSettings: strict
        ),
        .target(name: "ParlanceRandom", path: "Tests/ParlanceRandom", swiftSettings: strict),
        .target(name: "ParlanceWaiting", path: "Tests/ParlanceWaiting", swiftSettings: strict),
        .target(name: "ParlanceScreenModel", path: "Tests/ParlanceScreenModel", swiftSettings: exercised),
        .testTarget(name: "ParlanceSodiumTests", dependencies: ["ParlanceSodium"], swiftSettings: strict),
        .testTarget(
            name: "ParlanceNoiseTests",
            dependencies: ["ParlanceNoise", "ParlanceSodium"],
            exclude: ["Interop"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceWireTests",
            dependencies: ["ParlanceRandom", "ParlanceWire", protobuf],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceCoreTests",
            dependencies: [
                "ParlanceHistory", "ParlanceRandom", "ParlanceAudit", "ParlanceErrorCode", "ParlanceRecords",
                "ParlanceCore",
                "ParlanceLetters",
                "ParlanceWire", "ParlanceSodium",
                "ParlanceTestKit",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceStoreTests",
            dependencies: [
                "ParlanceAudit", "ParlanceStore", "ParlanceHistory", "ParlanceRecords", "ParlanceCore", "ParlanceWire",
                "ParlanceSodium", "ParlanceTestKit",
                "ParlanceWords",
                grdb, sqlite,
            ],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceNetworkTests",
            dependencies: [
                "ParlanceRandom", "ParlanceWaiting", "ParlanceNetwork", "ParlanceCore", "ParlanceWire", "ParlanceNoise",
                "ParlanceSodium", "ParlanceWords", nioCore, nioPosix, logging,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceControlTests",
            dependencies: [
                "ParlanceRandom", "ParlanceWaiting", "ParlanceControl", "ParlanceErrorCode", "ParlanceCore",
                "ParlancePictures",
                "ParlanceTerminal", "ParlanceTexts", "ParlanceWire", "ParlanceWords", "parlance", argumentParser,
                nioCore, nioPosix,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                // A whole node, which the commands are tested against.
                "ParlanceAssistant", "ParlanceFiles", "ParlanceNetwork", "ParlanceNode", "ParlanceProfile",
                "ParlanceSodium", "ParlanceStore", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceDaemonTests",
            dependencies: [
                "ParlanceWaiting", "ParlanceControl", "ParlanceErrorCode", "ParlanceDaemon", "ParlanceNode",
                "ParlanceProfile", "ParlanceStore",
                "ParlanceFiles",
                "ParlanceNetwork", "ParlanceRecords", "ParlanceCore", "ParlanceTexts", "ParlanceWeb", "ParlanceWire",
                "ParlanceWords",
                "ParlanceSodium", "ParlanceTerminal", "ParlanceScreenModel", "CSystemd", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "ParlanceFuzzTests", dependencies: ["ParlanceFuzz"], swiftSettings: strict),
        .testTarget(name: "ParlanceBenchTests", dependencies: ["parlance-bench"], swiftSettings: strict),
        .testTarget(
            name: "ParlanceTerminalTests",
            dependencies: ["ParlanceRandom", "ParlanceTerminal", "ParlanceScreenModel"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceChatTests",
            dependencies: [
                "ParlanceRandom", "ParlanceChat", "ParlanceControl", "ParlanceErrorCode", "ParlanceTerminal",
                "ParlanceTexts", "ParlanceWords",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceFilesTests",
            dependencies: [
                "ParlanceRecords", "ParlanceFiles", "ParlanceCore", "ParlancePictures", "ParlanceRandom",
                "ParlanceWire", "ParlanceWords",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlancePicturesTests",
            dependencies: ["ParlancePictures", "ParlanceRandom"],
            exclude: ["Pictures"],
            swiftSettings: strict
        ),
        .testTarget(name: "ParlanceWordsTests", dependencies: ["ParlanceWords"], swiftSettings: strict),
        .testTarget(
            name: "ParlanceWebTests",
            dependencies: [
                "ParlanceWaiting", "ParlanceWeb", "ParlanceControl", "ParlanceErrorCode", "ParlanceSodium",
                "ParlanceWords", "CZlib",
                httpTypes,
                hummingbird, nioCore, nioPosix, nioHTTPTypes, .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ParlanceAssistantTests",
            dependencies: [
                "ParlanceRandom", "ParlanceWaiting", "ParlanceAssistant", "ParlanceControl", "ParlanceEmbedding",
                "ParlanceSodium", "ParlanceWords", "CParlanceKernel", "CZlib", grdb, nioCore, nioPosix,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: ["Data"],
            swiftSettings: strict
        ),
        .testTarget(name: "TidyTests", dependencies: ["ParlanceWeb", "ParlanceWords"], swiftSettings: strict),
    ] + fuzzer
)
