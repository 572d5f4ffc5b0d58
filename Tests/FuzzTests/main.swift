import Glibc

// The program for libFuzzer: its flags and folders as arguments, and `--target=NAME`, which it ignores as it does every flag
// that begins with two hyphens. Left out of the tests.

/// libFuzzer's way in for programs with a `main` of their own (`FuzzerInterface.h`'s neighbour `FuzzerDriver`).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let flag = "--target="
private let name = CommandLine.arguments.first { $0.hasPrefix(flag) }.map { String($0.dropFirst(flag.count)) }
private let chosen = FuzzTarget.all.first { $0.name == name }
guard chosen != nil else {
    print("--target= takes one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    exit(64)
}
private var count = CommandLine.argc
private var arguments = CommandLine.unsafeArgv
exit(
    runFuzzer(&count, &arguments) { bytes, count in
        chosen?.feed(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
)
