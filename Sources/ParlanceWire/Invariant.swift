/// Stops the program if something does not hold that must hold whatever peers and people do. A condition that fails is a
/// mistake of this program, and going on could lose or show what it must not.
///
/// It is compiled where `PARLANCE_INVARIANTS` is defined: in debug builds, and in release mode with the environment variable of
/// that name, as contrib/simulate and contrib/fuzz build. Packages do without.
///
/// - Parameters:
///   - condition: what must hold.
///   - rule: the same in words, for whoever reads the crash.
@inlinable
package func invariant(
    _ condition: @autoclosure () -> Bool,
    _ rule: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    #if PARLANCE_INVARIANTS
    if !condition() { fatalError("broken invariant: \(rule())", file: file, line: line) }
    #endif
}

/// Stops the program where it comes to what cannot be, under the same conditions as `invariant`. Packages go on as the
/// caller does next.
///
/// - Parameter rule: what must hold, in words, for whoever reads the crash.
@inlinable
package func broken(_ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    #if PARLANCE_INVARIANTS
    fatalError("broken invariant: \(rule())", file: file, line: line)
    #endif
}

/// Runs checks that need more than one expression, under the same conditions as `invariant`.
@inlinable
package func invariants(_ check: () -> Void) {
    #if PARLANCE_INVARIANTS
    check()
    #endif
}
