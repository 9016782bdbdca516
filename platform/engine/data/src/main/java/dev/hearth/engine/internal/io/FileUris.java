package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts {@code file:} URIs to local paths, and decodes their percent-encoding. Stateless. */
public final class FileUris {
    private static final Pattern SCHEME =
            Pattern.compile("(?i:(file)):.*|([A-Za-z][A-Za-z0-9+.-]+):/.*", Pattern.DOTALL);
    private static final Pattern URI_PATH = Pattern.compile("(?://(?:localhost)?)?(/(?!/).*)", Pattern.DOTALL);
    private static final Pattern ENCODED = Pattern.compile("(?:%[0-9A-Fa-f]{2})+");
    private static final String SPECIAL = "*?[]{}\\,";

    private FileUris() {}

    /**
     * Converts a {@code file:} URI to a glob pattern. Percent-encoded characters of the URI stand for themselves, so
     * {@code %2A} only matches an asterisk. Returns a path that is no URI unchanged.
     */
    static String pattern(String path) {
        return local(path, true);
    }

    /**
     * Converts a {@code file:} URI to the path of one file or directory. Characters such as asterisks are no wildcards.
     * Returns a path that is no URI unchanged.
     */
    public static String plain(String path) {
        return local(path, false);
    }

    private static String local(String path, boolean escape) {
        Matcher scheme = SCHEME.matcher(path);
        if (!scheme.matches()) {
            return path;
        }
        if (scheme.group(1) == null) {
            throw ErrorCode.BAD_ARGUMENT.failure("path '" + path + "': scheme '" + scheme.group(2)
                    + "' is unknown (expected: a local path, or file:/...)");
        }
        Matcher inner = URI_PATH.matcher(path.substring("file:".length()));
        if (!inner.matches()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "path '" + path + "': no path on this host (expected: file:/path or file:///path)");
        }
        return ENCODED.matcher(inner.group(1))
                .replaceAll(encoded -> Matcher.quoteReplacement(decoded(encoded.group(), escape)));
    }

    private static String decoded(String encoded, boolean escape) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 1; at < encoded.length(); at += 3) {
            bytes.write(Integer.parseInt(encoded.substring(at, at + 2), 16));
        }
        StringBuilder plain = new StringBuilder();
        for (char c : bytes.toString(UTF_8).toCharArray()) {
            if (escape && SPECIAL.indexOf(c) >= 0) {
                plain.append('\\');
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
