// swift-tools-version: 6.2
import PackageDescription

/// With `FUZZ=1` the targets of `Tests/FuzzTests` become a program for libFuzzer, and everything is compiled to tell it which ways
/// the bytes took. `FUZZER_LIBRARY` is where libFuzzer is; `scripts/fuzz` sets both. Every other build is left as it is.
let isFuzzing = Context.environment["FUZZ"] == "1"

/// With `SANITIZE=address` or `thread`, which `scripts/sanitize` sets, only those tests are built that run under a sanitizer. With
/// `thread` every program is linked with what that sanitizer must be told of Swift's Mutex.
let sanitizer = Context.environment["SANITIZE"]
let sanitizedTests = ["LiveTests", "DaemonTests", "FuzzTests"]
let threadSanitizerHooks: [Target] =
    sanitizer == "thread" ? [.target(name: "ThreadSanitizerHooks", path: "Tests/ThreadSanitizerHooks")] : []

/// Every target is compiled the same way: Swift 6 mode, warnings as errors, and the upcoming features that
/// make imports, existentials and isolation explicit.
///
/// The dynamic checks for overlapping access cost a simulation a tenth of its time. They run in every debug build, so in
/// `make test-debug` and under the sanitizers; a release build does without.
let strict: [SwiftSetting] =
    (isFuzzing ? [.unsafeFlags(["-enable-testing", "-sanitize=fuzzer,address"])] : []) + [
        .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    ]

/// Tests run in a release build, for the simulations in them, but what is theirs alone is not worth the optimizer's time.
let tested = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The kit is for apps, which are packages of their own, and those take no package that asks for flags of its own.
let kit: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let fuzzed: [Target.Dependency] = [
    "Platform", "HTTP", "JSON", "SQLite", "Crypto", "Live", "Configuration", "Notifier", "Daemon", "FakeGitLab",
    "FakeAPNs", "NotifierKit", "Simulation", "SimulatedStorage", "Scenarios", "Verdict", "Harness", "Workbench",
]
let fuzzing: [Target] =
    isFuzzing
    ? [
        .executableTarget(
            name: "fuzz",
            dependencies: fuzzed,
            path: "Tests/FuzzTests",
            exclude: ["Corpus", "ReplayTests.swift"],
            swiftSettings: strict,
            linkerSettings: [
                .unsafeFlags(["-sanitize=address", Context.environment["FUZZER_LIBRARY"] ?? ""]),
                .linkedLibrary("stdc++"),
            ]
        )
    ]
    : [
        .testTarget(
            name: "FuzzTests",
            dependencies: fuzzed,
            exclude: ["Corpus", "main.swift"],
            swiftSettings: tested
        )
    ]

let package = Package(
    name: "notifier-workbench",
    // What the kit is written for; everything else here is for Linux.
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [
        .library(name: "NotifierKit", targets: ["NotifierKit", "Duties"]),
        .executable(name: "gitlab-notify", targets: ["gitlab-notify"]),
        .executable(name: "simctl", targets: ["simctl"]),
        .executable(name: "notifierd", targets: ["notifierd"]),
        .library(name: "FastClock", type: .dynamic, targets: ["FastClock"]),
    ],
    targets: ([
        // What every program here is built on.
        .target(
            name: "Platform",
            dependencies: threadSanitizerHooks.map { .target(name: $0.name) },
            swiftSettings: strict
        ),
        .target(name: "HTTP", dependencies: ["Platform"], swiftSettings: strict),
        .target(name: "JSON", swiftSettings: strict),
        .target(name: "CommandTable", swiftSettings: strict),

        // C libraries and the one Swift module that wraps each.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(name: "Crypto", dependencies: ["COpenSSL", "Platform"], swiftSettings: strict),

        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CNGHTTP2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev", "libssl-dev"])]
        ),
        // The C library's own; nothing is linked for it.
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // The live world: sockets and the system's clocks.
        .target(
            name: "Live",
            dependencies: ["CCurl", "CMicroHTTPD", "CNGHTTP2", "Crypto", "HTTP", "JSON", "Platform"],
            swiftSettings: strict
        ),

        // Whose turn it is: the server and every client compute it by the same code.
        .target(name: "Duties", swiftSettings: kit),

        // The product.
        .target(name: "Configuration", dependencies: ["HTTP", "Platform"], swiftSettings: strict),
        .target(
            name: "Notifier",
            dependencies: ["Configuration", "Crypto", "Duties", "HTTP", "JSON", "Platform", "SQLite"],
            swiftSettings: strict
        ),

        .target(
            name: "Daemon",
            dependencies: [
                "CommandTable", "Configuration", "Crypto", "HTTP", "JSON", "Live", "Notifier", "Platform", "SQLite",
            ],
            swiftSettings: strict
        ),
        .executableTarget(name: "notifierd", dependencies: ["Daemon"], swiftSettings: strict),

        // The other half: the client kit for apps, and the client for the terminal that stands on it.
        .target(name: "NotifierKit", dependencies: ["Duties"], swiftSettings: kit),
        .target(name: "KitHTTP", dependencies: ["HTTP", "NotifierKit"], swiftSettings: strict),
        .target(name: "KitSQLite", dependencies: ["NotifierKit", "SQLite"], swiftSettings: strict),
        .target(
            name: "TerminalClient",
            dependencies: [
                "CommandTable", "Duties", "HTTP", "JSON", "KitHTTP", "KitSQLite", "Live", "NotifierKit", "Platform",
                "SQLite",
            ],
            swiftSettings: strict
        ),
        .executableTarget(name: "gitlab-notify", dependencies: ["TerminalClient"], swiftSettings: strict),

        // The workbench: stand-ins for the services, the simulated world, and the judge.
        .target(name: "FakeGitLab", dependencies: ["Platform", "HTTP", "Crypto"], swiftSettings: strict),
        .target(name: "FakeAPNs", dependencies: ["Platform", "HTTP", "Crypto"], swiftSettings: strict),
        .target(name: "Simulation", dependencies: ["Platform", "HTTP"], swiftSettings: strict),
        .target(name: "SimulatedStorage", dependencies: ["CSQLite", "Platform", "SQLite"], swiftSettings: strict),
        .target(name: "Scenarios", dependencies: ["Configuration", "JSON", "Platform"], swiftSettings: strict),
        .target(name: "Verdict", dependencies: ["JSON", "Platform", "Scenarios"], swiftSettings: strict),
        .target(
            name: "Harness",
            dependencies: [
                "Configuration", "Crypto", "Duties", "FakeAPNs", "FakeGitLab", "HTTP", "JSON", "KitHTTP", "KitSQLite",
                "Notifier", "NotifierKit", "Platform", "SQLite", "Scenarios", "SimulatedStorage", "Simulation",
                "Verdict",
            ],
            swiftSettings: strict
        ),
        .target(name: "ReportPage", dependencies: ["Crypto", "Platform", "Verdict"], swiftSettings: strict),
        .target(
            name: "Workbench",
            dependencies: [
                "CMalloc", "CZlib", "CommandTable", "Configuration", "Crypto", "Duties", "FakeAPNs", "FakeGitLab",
                "HTTP",
                "Harness",
                "JSON", "Live",
                "Notifier", "Platform", "ReportPage", "SQLite", "Scenarios", "SimulatedStorage", "Simulation",
                "Verdict",
            ],
            swiftSettings: strict
        ),
        .executableTarget(name: "simctl", dependencies: ["Verdict", "Workbench"], swiftSettings: strict),

        // Preloaded into a program whose time is to run fast; no target links it.
        .target(name: "FastClock", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),

        .testTarget(name: "PlatformTests", dependencies: ["Platform"], swiftSettings: tested),
        .testTarget(name: "DutiesTests", dependencies: ["Duties"], swiftSettings: tested),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: tested),
        .testTarget(name: "HTTPTests", dependencies: ["HTTP", "Platform"], swiftSettings: tested),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: tested),
        .testTarget(name: "CryptoTests", dependencies: ["Crypto", "Platform"], swiftSettings: tested),
        .testTarget(
            name: "LiveTests",
            dependencies: ["CCurl", "Live", "HTTP", "Platform", "Crypto", "Simulation"],
            swiftSettings: tested,
            // libcurl finds the one of `NameTable` before the system's, so that tests say what names stand for.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=getaddrinfo"])]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Simulation", "Platform", "HTTP"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "SimulatedStorageTests",
            dependencies: ["Platform", "SQLite", "SimulatedStorage"],
            swiftSettings: tested
        ),
        .testTarget(name: "FakeGitLabTests", dependencies: ["FakeGitLab", "Platform", "HTTP"], swiftSettings: tested),
        .testTarget(
            name: "FakeAPNsTests",
            dependencies: ["FakeAPNs", "Platform", "HTTP", "Crypto"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["Configuration", "HTTP", "Platform"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "NotifierTests",
            dependencies: [
                "Configuration", "Duties", "Notifier", "NotifierKit", "Platform", "HTTP", "JSON", "SQLite",
                "SimulatedStorage", "Crypto", "Simulation",
            ],
            swiftSettings: tested
        ),
        .target(
            name: "ScenarioFixtures",
            dependencies: ["Platform", "Scenarios", "Verdict"],
            path: "Tests/ScenarioFixtures",
            swiftSettings: tested
        ),
        .testTarget(
            name: "ScenariosTests",
            dependencies: ["Configuration", "JSON", "Platform", "ScenarioFixtures", "Scenarios"],
            exclude: ["Fixtures"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "VerdictTests",
            dependencies: ["JSON", "Platform", "ScenarioFixtures", "Scenarios", "Verdict"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "ReportPageTests",
            dependencies: ["Crypto", "Platform", "ReportPage", "ScenarioFixtures", "Scenarios", "Verdict"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "HarnessTests",
            dependencies: [
                "Configuration", "Crypto", "FakeAPNs", "FakeGitLab", "HTTP", "JSON", "Harness", "Notifier",
                "NotifierKit", "Platform", "SQLite", "ScenarioFixtures", "Scenarios", "SimulatedStorage", "Simulation",
                "Verdict",
            ],
            swiftSettings: tested
        ),
        .testTarget(
            name: "WorkbenchTests",
            dependencies: [
                "CZlib", "CommandTable", "Configuration", "Crypto", "FakeAPNs", "FakeGitLab", "HTTP", "JSON", "Harness",
                "Live",
                "Notifier", "Platform", "ReportPage", "SQLite", "ScenarioFixtures", "Scenarios", "Simulation",
                "Verdict",
                "Workbench", "simctl",
            ],
            swiftSettings: tested
        ),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "CommandTable", "Configuration", "Daemon", "notifierd", "Notifier", "Live", "HTTP", "Platform",
                "SQLite", "Crypto",
                "FakeGitLab", "FakeAPNs",
            ],
            swiftSettings: tested
        ),
        .testTarget(
            name: "NotifierKitTests",
            dependencies: ["Duties", "JSON", "Notifier", "NotifierKit"],
            swiftSettings: tested
        ),
        .testTarget(
            name: "TerminalClientTests",
            dependencies: [
                "CommandTable", "HTTP", "JSON", "KitSQLite", "Live", "NotifierKit", "Platform", "SQLite",
                "TerminalClient",
            ],
            swiftSettings: tested
        ),
        .testTarget(name: "TidyTests", swiftSettings: tested),
    ] + fuzzing + threadSanitizerHooks).filter { target in
        sanitizer == nil || target.type != .test || sanitizedTests.contains(target.name)
    }
)
