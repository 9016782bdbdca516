package dev.hearth.yarn.internal.submission;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Words about a driver in the diagnostics of its application: the exit status, the reason, and the last part of its errors.
 * A driver that ends by itself writes {@code exit status N} as the first line, the reason, an empty line and its errors.
 * For one that was killed, YARN writes its own words. Immutable.
 */
record DriverWords(OptionalInt exitStatus, String reason, String errors) {
    private static final Pattern OWN = Pattern.compile("\\s*exit status (\\d{1,3})(?:\\n|$)");
    private static final Pattern OF_YARN = Pattern.compile("(?i)exit\\s?(?:code|status)\\s*(?:is)?:?\\s*(-?\\d{1,4})");
    private static final String ERRORS_OF_YARN = "stderr :";

    /** Reads {@code diagnostics}. */
    static DriverWords of(String diagnostics) {
        Matcher own = OWN.matcher(diagnostics);
        if (own.lookingAt()) {
            String rest = diagnostics.substring(own.end());
            int gap = rest.indexOf("\n\n");
            return new DriverWords(
                    OptionalInt.of(Integer.parseInt(own.group(1))),
                    (gap < 0 ? rest : rest.substring(0, gap)).strip(),
                    gap < 0 ? "" : rest.substring(gap + 2));
        }
        Matcher yarn = OF_YARN.matcher(diagnostics);
        OptionalInt status = OptionalInt.empty();
        while (yarn.find()) { // the last attempt counts
            status = OptionalInt.of(Integer.parseInt(yarn.group(1)));
        }
        int errors = diagnostics.lastIndexOf(ERRORS_OF_YARN);
        return new DriverWords(
                status,
                diagnostics.strip(),
                errors < 0
                        ? ""
                        : diagnostics
                                .substring(errors + ERRORS_OF_YARN.length())
                                .strip());
    }

    /** Whether the diagnostics say that a node did not find a staged file. */
    static boolean lackFiles(String diagnostics) {
        return diagnostics.contains("FileNotFoundException")
                || diagnostics.contains("changed on src filesystem")
                || diagnostics.contains("File does not exist");
    }
}
