package dev.hearth.kernel.internal.application;

import java.util.ArrayList;
import java.util.List;

/**
 * Names of the resources that a bundle lends to applications, from its manifest header {@code
 * Hearth-Application-Resources: core-default.xml, META-INF/services/org.example.*}. An asterisk stands for any
 * characters except a slash. Classes and the manifest are never lent. Immutable.
 */
public record ResourcePatterns(List<String> names) {
    static final String HEADER = "Hearth-Application-Resources";
    static final ResourcePatterns NONE = new ResourcePatterns(List.of());
    /** Maximum number of names in a header. Each look-up of a resource compares all of them. */
    static final int NAMES_MAX = 100;
    /** Maximum number of characters of a name. */
    static final int NAME_LENGTH_MAX = 200;

    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final String CLASS = ".class";

    public ResourcePatterns {
        names = List.copyOf(names);
    }

    /** Parses the header. Fails with {@code IllegalArgumentException}; the message says what was expected. */
    static ResourcePatterns parse(String header) {
        List<String> names = new ArrayList<>();
        for (String clause : header.split(",", -1)) {
            String name = clause.strip();
            require(
                    !name.isEmpty() && name.length() <= NAME_LENGTH_MAX,
                    name,
                    "names of 1 to " + NAME_LENGTH_MAX + " characters");
            require(!name.startsWith("/") && !name.endsWith("/"), name, "the name of a resource, such as a/b.xml");
            names.add(name);
        }
        require(names.size() <= NAMES_MAX, names.size() + " names", "at most " + NAMES_MAX);
        return new ResourcePatterns(names);
    }

    boolean covers(String resource) {
        if (resource.endsWith(CLASS) || resource.equalsIgnoreCase(MANIFEST)) {
            return false;
        }
        for (String name : names) {
            if (matches(name.split("/", -1), resource.split("/", -1))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String[] pattern, String[] resource) {
        if (pattern.length != resource.length) {
            return false;
        }
        for (int i = 0; i < pattern.length; i++) {
            if (!matches(pattern[i], resource[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether {@code text} matches {@code pattern}. The last asterisk alone takes more characters at a mismatch. */
    private static boolean matches(String pattern, String text) {
        int at = 0;
        int asterisk = -1; // index of the last asterisk
        int taken = 0; // index in the text at which the characters of the last asterisk end
        int i = 0;
        while (i < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                asterisk = at++;
                taken = i;
            } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(i)) {
                at++;
                i++;
            } else if (asterisk >= 0) {
                at = asterisk + 1;
                i = ++taken;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }

    private static void require(boolean isMet, String found, String rule) {
        if (!isMet) {
            throw new IllegalArgumentException(HEADER + ": '" + found + "' (expected: " + rule + ")");
        }
    }
}
