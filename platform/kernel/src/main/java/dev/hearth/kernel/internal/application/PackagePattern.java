package dev.hearth.kernel.internal.application;

import java.util.ArrayList;
import java.util.List;

/**
 * Package name in a manifest header. {@code a.b} matches that package, {@code a.b.*} also all its subpackages.
 * Immutable.
 */
public record PackagePattern(String name, boolean below) implements Comparable<PackagePattern> {
    private static final String BELOW = ".*";

    /** Parses a comma-separated header; ignores attributes after a semicolon. */
    public static List<PackagePattern> parse(String header) {
        List<PackagePattern> patterns = new ArrayList<>();
        for (String clause : header.split(",", -1)) {
            int end = clause.indexOf(';');
            String name = (end < 0 ? clause : clause.substring(0, end)).strip();
            if (name.endsWith(BELOW)) {
                patterns.add(new PackagePattern(name.substring(0, name.length() - BELOW.length()), true));
            } else if (!name.isEmpty()) {
                patterns.add(new PackagePattern(name, false));
            }
        }
        return patterns;
    }

    public boolean covers(String packageName) {
        return packageName.equals(name) || (below && packageName.startsWith(name + "."));
    }

    public boolean covers(PackagePattern other) {
        return covers(other.name) && (below || !other.below);
    }

    @Override
    public int compareTo(PackagePattern other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return below ? name + BELOW : name;
    }
}
