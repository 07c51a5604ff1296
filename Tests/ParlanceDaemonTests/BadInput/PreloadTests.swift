import Foundation
import Testing

extension ProgramTests {
    /// A preloaded library that changes the environment before `main`: all programs still obey their arguments.
    @Suite struct PreloadTests {
        /// It moves the environment away from the arguments: when it is loaded, and where the Swift runtime, which may be
        /// loaded before it, begins to look for them.
        private static let moving = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            __attribute__((constructor)) static void move(void) { setenv("PARLANCE_TEST_MOVED", "yes", 1); }
            FILE *fopen(const char *path, const char *mode) {
                move();
                return ((FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen"))(path, mode);
            }
            """

        /// It leaves no environment at all, not even an empty one.
        private static let clearing = """
            #define _DEFAULT_SOURCE
            #include <stdlib.h>
            __attribute__((constructor)) static void clear(void) { clearenv(); }
            """

        @Test(
            arguments: ["parlance", "parlanced", "parlance-bench", "parlance-scan", "parlance-simulate"],
            [moving, clearing]
        )
        func argumentsAreObeyed(_ name: String, _ library: String) async throws {
            let program = try Programs.own(name)
            try await Lab.run { lab in
                let built = try await Preload.library(library, in: lab)
                // An option that there is not stops every program, if it is seen.
                let words = ["-i", "HOME=\(lab.folder.path)", "LD_PRELOAD=\(built)", program.path, "--no-such-option"]
                let outcome = try await lab.run(try Programs.system("env"), words)
                #expect(outcome.code == 64 && outcome.errors.contains("--no-such-option"), "\(outcome)")
            }
        }
    }
}
