package dev.hearth.spi.packages;

import dev.hearth.spi.error.ErrorCode;

/**
 * Pattern of packages that are left out together with what only they need: {@code group:name}, in which {@code *} stands
 * for any characters. Immutable.
 */
public record PackageExclude(String group, String name) {
    private static final String ANY = "*";

    /** Parses a pattern. Fails with {@code BAD_ARGUMENT}. */
    public static PackageExclude parse(String text) {
        String[] parts = text.strip().split(":", -1);
        if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("excluded package '" + text
                    + "': (expected: group:name, with * for any characters, such as org.slf4j:*)");
        }
        return new PackageExclude(parts[0].strip(), parts[1].strip());
    }

    /** Whether the pattern covers a package. */
    public boolean covers(String otherGroup, String otherName) {
        return matches(group, otherGroup) && matches(name, otherName);
    }

    private static boolean matches(String pattern, String text) {
        int star = pattern.indexOf(ANY);
        if (star < 0) {
            return pattern.equals(text);
        }
        if (!text.startsWith(pattern.substring(0, star))) {
            return false;
        }
        String rest = pattern.substring(star + 1);
        for (int from = star; from <= text.length(); from++) {
            if (matches(rest, text.substring(from))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return group + ":" + name;
    }
}
