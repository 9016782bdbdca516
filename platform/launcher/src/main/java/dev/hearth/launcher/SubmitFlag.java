package dev.hearth.launcher;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A flag of {@code bin/submit} as it was given; {@code value} is empty for a switch. */
record SubmitFlag(String name, Optional<String> value) {
    /** Flags of requests that run no application. */
    private static final Set<String> REQUESTS = Set.of("--kill", "--status", "--version", "--help", "-h");

    SubmitFlag {
        if (!name.startsWith("-") || name.length() < 2 || name.contains("=")) {
            throw new IllegalArgumentException(
                    "flag '" + name + "': not a flag (expected: a name such as --queue, and its value apart)");
        }
    }

    /** Whether the command line needs no application because of this flag. */
    boolean needsNoApplication() {
        return REQUESTS.contains(name);
    }

    /** The words of the command line. */
    List<String> words() {
        return value.map(text -> List.of(name, text)).orElse(List.of(name));
    }
}
