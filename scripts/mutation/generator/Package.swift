// swift-tools-version: 6.2
import PackageDescription

/// Where the toolchain keeps its own swift-syntax; `scripts/mutate` sets it. The modules there fit this very compiler only, so this
/// package is apart from the notifier's and no default build touches it.
let host = Context.environment["SWIFT_HOST_LIBRARIES"] ?? "/usr/lib/swift/host"

let package = Package(
    name: "mutator",
    targets: [
        .executableTarget(
            name: "mutator",
            swiftSettings: [
                .unsafeFlags(["-I", host]),
                .swiftLanguageMode(.v6),
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            linkerSettings: [
                .unsafeFlags([
                    "-L", host, "-Xlinker", "-rpath", "-Xlinker", host, "-lSwiftSyntax", "-lSwiftParser",
                    "-lSwiftOperators",
                    "-lSwiftBasicFormat", "-lSwiftDiagnostics",
                ])
            ]
        )
    ]
)
