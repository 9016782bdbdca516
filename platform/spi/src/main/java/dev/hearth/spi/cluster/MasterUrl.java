package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Master URL of an application: {@code local[2]}, {@code hearth://host:7077}, {@code yarn},
 * {@code k8s://https://host:6443}. The scheme precedes {@code ://} or {@code [}; {@code spark} is an alias of
 * {@code hearth}.
 */
public record MasterUrl(String text, String scheme, String rest) {
    private static final Pattern FORM = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*)(://.+|\\[.*])?");

    /** Parses a master URL; fails with {@code BAD_ARGUMENT} if it has no scheme. */
    public static MasterUrl parse(String text) {
        String trimmed = text.trim();
        Matcher matcher = FORM.matcher(trimmed);
        if (!matcher.matches()) {
            throw ErrorCode.BAD_ARGUMENT.failure("master URL: '" + text
                    + "' (expected: for example local[2], hearth://host:7077, yarn or k8s://https://host:6443)");
        }
        String scheme = matcher.group(1).equals("spark") ? "hearth" : matcher.group(1);
        String rest = matcher.group(2) == null ? "" : matcher.group(2);
        return new MasterUrl(trimmed, scheme, rest.startsWith("://") ? rest.substring("://".length()) : rest);
    }

    @Override
    public String toString() {
        return text;
    }
}
