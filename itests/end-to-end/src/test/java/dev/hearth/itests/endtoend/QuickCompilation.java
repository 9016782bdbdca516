package dev.hearth.itests.endtoend;

import java.util.List;

/**
 * Options of Java for programs of tests that compute for seconds: they compile by C1 alone, as the JVMs of tests do,
 * because C2 takes half of the CPU time of such a short program. With {@code -Pnightly} and {@code -Pcrash} there are
 * none.
 */
final class QuickCompilation {
    private static final String OPTION = System.getProperty("hearth.programs.jvm", "");

    private QuickCompilation() {}

    /** Options of a plain Java command. */
    static List<String> javaOptions() {
        return OPTION.isEmpty() ? List.of() : List.of(OPTION);
    }

    /** Flags of bin/submit, for the driver and its executors; users' own options come after these. */
    static List<String> flags() {
        return OPTION.isEmpty()
                ? List.of()
                : List.of(
                        "--conf",
                        "hearth.driver.defaultJavaOptions=" + OPTION,
                        "--conf",
                        "hearth.executor.defaultJavaOptions=" + OPTION);
    }
}
