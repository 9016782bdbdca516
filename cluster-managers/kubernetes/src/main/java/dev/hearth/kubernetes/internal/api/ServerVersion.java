package dev.hearth.kubernetes.internal.api;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Version of an API server, by which features are chosen. Immutable. */
public record ServerVersion(int major, int minor) {
    /** Version that has all features: that of a server whose version is not known. */
    public static final ServerVersion NEWEST = new ServerVersion(Integer.MAX_VALUE, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\.(\\d{1,9}).*");

    /** Reads a text such as {@code 1.20} or, from some providers, {@code 1.29+}; any other one is the newest version. */
    public static ServerVersion parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? new ServerVersion(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
                : NEWEST;
    }

    public boolean isAtLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor >= otherMinor);
    }
}
