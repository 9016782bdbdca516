package dev.hearth.itests.architecture;

import java.util.List;

/** The problems that a check found, one line each. */
final class Findings {
    private Findings() {}

    /** Fails with all of {@code problems}, unless there are none. */
    static void expectNone(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new AssertionError(problems.size() + " found:\n" + String.join("\n", problems));
        }
    }
}
