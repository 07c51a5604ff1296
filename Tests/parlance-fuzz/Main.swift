import Foundation
import ParlanceFuzz

/// The target that the environment names; contrib/fuzz sets it.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["PARLANCE_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        for target in FuzzTarget.allCases { print("\(target.rawValue)\t\(target.purpose)") }
        exit(name.isEmpty ? 0 : 64)
    }
    return target
}()

/// Called by libFuzzer first: writes the seeds if they are requested.
@_cdecl("LLVMFuzzerInitialize")
func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
    let chosen = target
    guard let folder = ProcessInfo.processInfo.environment["PARLANCE_FUZZ_SEEDS"] else { return 0 }
    for (number, seed) in chosen.seeds.enumerated() {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("seed-\(number)")
        guard (try? Data(seed).write(to: file)) != nil else { fatalError("\(file.path) cannot be written") }
    }
    exit(0)
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    target.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
