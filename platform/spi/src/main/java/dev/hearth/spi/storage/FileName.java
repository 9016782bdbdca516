package dev.hearth.spi.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a file or directory: URI scheme, authority such as a host or a bucket, and absolute path. The path is decoded
 * and has no empty segments. Except for local files, which may have links, it has no segments {@code .} and {@code ..}
 * either. The path of an {@code http:} or {@code https:} address is left as it is written, with its query, because it has
 * a meaning for its server alone. Immutable; ordered by scheme, authority and path.
 */
public record FileName(String scheme, String authority, String path) implements Comparable<FileName> {
    private static final Set<String> HTTP = Set.of("http", "https");

    /** Scheme of local files. */
    public static final String LOCAL = "file";

    /** Expected form of a name, for messages. */
    private static final String FORMS = " (expected: a path of this system, or a URI such as file:/path)";

    private static final Pattern URI =
            Pattern.compile("(?i:(file)):(.*)|([A-Za-z][A-Za-z0-9+.-]+):(?=/)(?://([^/]*))?(/.*)?", Pattern.DOTALL);
    private static final Pattern LOCAL_PATH = Pattern.compile("(?://(?:localhost)?)?(/(?!/).*)", Pattern.DOTALL);
    private static final Pattern ENCODED = Pattern.compile("(?:%[0-9A-Fa-f]{2})+");
    private static final Pattern AMBIGUOUS = Pattern.compile("%(?=[0-9A-Fa-f]{2})");

    public FileName {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + path + "': relative (expected: an absolute path)");
        }
        path = HTTP.contains(scheme) ? path : normal(path, !scheme.equals(LOCAL));
    }

    /** The name of a local file with an absolute path. The path is not decoded. */
    public static FileName local(String path) {
        return new FileName(LOCAL, "", path);
    }

    /**
     * Parses a URI, or an absolute local path. Also parses what {@link #toString} returns. Fails with
     * {@code BAD_ARGUMENT} if {@code text} is neither.
     */
    public static FileName parse(String text) {
        return uri(text, FileName::decode).orElseGet(() -> {
            if (!text.startsWith("/")) {
                throw ErrorCode.BAD_ARGUMENT.failure("path '" + text + "': relative" + FORMS);
            }
            return local(text);
        });
    }

    /**
     * Parses a URI, or a local path, which may be relative to the working directory of this process. Fails with
     * {@code BAD_ARGUMENT} if {@code text} is neither.
     */
    public static FileName resolve(String text) {
        return uri(text, FileName::decode).orElseGet(() -> {
            try {
                return local(Path.of(text).toAbsolutePath().toString());
            } catch (InvalidPathException bad) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "path '" + text + "': " + bad.getReason() + " (expected: a path of this system)", bad);
            }
        });
    }

    /**
     * Parses a URI. Empty if {@code text} is no URI, but a path. {@code decoding} replaces percent-encoded characters;
     * {@link #decode} does that for names of files.
     */
    public static Optional<FileName> uri(String text, UnaryOperator<String> decoding) {
        if (text.indexOf('\0') >= 0) {
            throw ErrorCode.BAD_ARGUMENT.failure("path '" + text + "': Nul character not allowed" + FORMS);
        }
        Matcher uri = URI.matcher(text);
        if (!uri.matches()) {
            return Optional.empty();
        }
        if (uri.group(1) == null) {
            String authority = uri.group(4) == null ? "" : uri.group(4);
            String path = uri.group(5) == null ? "/" : uri.group(5);
            String scheme = uri.group(3).toLowerCase(Locale.ROOT);
            return Optional.of(new FileName(scheme, authority, HTTP.contains(scheme) ? path : decoding.apply(path)));
        }
        Matcher local = LOCAL_PATH.matcher(uri.group(2));
        if (!local.matches()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "path '" + text + "': no path on this host (expected: file:/path or file:///path)");
        }
        return Optional.of(local(decoding.apply(local.group(1))));
    }

    /** Replaces percent-encoded characters by the characters themselves, once. */
    public static String decode(String encoded) {
        return ENCODED.matcher(encoded).replaceAll(found -> Matcher.quoteReplacement(decodeRun(found.group())));
    }

    private static String decodeRun(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 1; at < encoded.length(); at += 3) {
            bytes.write(Integer.parseInt(encoded.substring(at, at + 2), 16));
        }
        return bytes.toString(UTF_8);
    }

    private static String normal(String path, boolean resolvesDots) {
        boolean plain = path.length() == 1 || (!path.endsWith("/") && !path.contains("//"));
        if (plain && (!resolvesDots || !path.contains("/."))) {
            return path;
        }
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : path.split("/", -1)) {
            if (resolvesDots && segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !(resolvesDots && segment.equals("."))) {
                segments.add(segment);
            }
        }
        return "/" + String.join("/", segments);
    }

    public boolean isLocal() {
        return scheme.equals(LOCAL);
    }

    /** The last segment of the path; empty for the root. */
    public String name() {
        String plain = HTTP.contains(scheme) && path.contains("?") ? path.substring(0, path.indexOf('?')) : path;
        return plain.substring(plain.lastIndexOf('/') + 1);
    }

    /** The directory above; empty for the root. */
    public Optional<FileName> parent() {
        return path.equals("/")
                ? Optional.empty()
                : Optional.of(new FileName(scheme, authority, path.substring(0, Math.max(1, path.lastIndexOf('/')))));
    }

    /** The name of {@code relative} below this directory: one name, or several separated by slashes. Not decoded. */
    public FileName child(String relative) {
        return new FileName(scheme, authority, path.equals("/") ? "/" + relative : path + "/" + relative);
    }

    @Override
    public int compareTo(FileName other) {
        int order = scheme.compareTo(other.scheme);
        if (order == 0) {
            order = authority.compareTo(other.authority);
        }
        return order == 0 ? path.compareTo(other.path) : order;
    }

    /** A URI, also for a local file. {@link #parse} returns this name for it. */
    public String uri() {
        return isLocal() ? LOCAL + ":" + AMBIGUOUS.matcher(path).replaceAll("%25") : toString();
    }

    /** The root of the storage of this file. */
    public FileName root() {
        return new FileName(scheme, authority, "/");
    }

    /**
     * The path of a local file; otherwise a URI in which only those percent signs are encoded that
     * {@link #parse} would decode.
     */
    @Override
    public String toString() {
        return isLocal()
                ? path
                : scheme + "://" + authority
                        + (HTTP.contains(scheme)
                                ? path
                                : AMBIGUOUS.matcher(path).replaceAll("%25"));
    }
}
