package dev.hearth.engine.internal.io;

import dev.hearth.spi.storage.FileName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes the percent-encoding of URIs that are glob patterns. Stateless. */
final class FileUris {
    private static final Pattern ENCODED = Pattern.compile("(?:%[0-9A-Fa-f]{2})+");
    private static final String SPECIAL = "*?[]{}\\,";

    private FileUris() {}

    /**
     * Decodes the path of a URI to a glob pattern. Percent-encoded characters stand for themselves, so {@code %2A} only
     * matches an asterisk.
     */
    static String pattern(String encoded) {
        return ENCODED.matcher(encoded)
                .replaceAll(found -> Matcher.quoteReplacement(escaped(FileName.decode(found.group()))));
    }

    private static String escaped(String decoded) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < decoded.length(); i++) {
            char c = decoded.charAt(i);
            if (SPECIAL.indexOf(c) >= 0) {
                pattern.append('\\');
            }
            pattern.append(c);
        }
        return pattern.toString();
    }
}
