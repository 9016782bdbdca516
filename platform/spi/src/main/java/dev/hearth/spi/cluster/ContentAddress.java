package dev.hearth.spi.cluster;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a file that was uploaded to a cluster: {@code content:/SHA256/SIZE/NAME}. The hash identifies the bytes, the
 * size is their number, and the name is that of the file for the application. Immutable.
 */
public record ContentAddress(ContentId content, long bytes, String name) {
    /** Scheme of these addresses. */
    public static final String SCHEME = "content";

    private static final String BEGIN = SCHEME + ":";
    private static final Pattern PATH = Pattern.compile("/([0-9a-f]{64})/(\\d{1,18})/([^/]+)");

    public ContentAddress {
        if (bytes < 0 || name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..")) {
            throw ErrorCode.BAD_ARGUMENT.failure("content " + content + " of " + bytes + " bytes named '" + name
                    + "' (expected: 0 bytes or more, and the name of one file)");
        }
    }

    /** The address {@code uri}, without regard to an alias; empty if it has another scheme. Fails with {@code BAD_ARGUMENT}. */
    public static Optional<ContentAddress> find(URI uri) {
        if (!SCHEME.equals(uri.getScheme())) {
            return Optional.empty();
        }
        Matcher path = PATH.matcher(String.valueOf(uri.getPath()));
        if (!path.matches() || uri.getAuthority() != null) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "'" + uri + "': no address of an uploaded file (expected: content:/SHA256/SIZE/NAME)");
        }
        return Optional.of(
                new ContentAddress(new ContentId(path.group(1)), Long.parseLong(path.group(2)), path.group(3)));
    }

    /** Completes the short form {@code content:SHA256/SIZE/NAME}, which people write; other texts stay as they are. */
    static String completed(String text) {
        return text.startsWith(BEGIN) && !text.startsWith(BEGIN + "/")
                ? BEGIN + "/" + text.substring(BEGIN.length())
                : text;
    }

    /** This address as a URI without colons and commas in its path, so that it may stand in lists of files. */
    public URI uri() {
        try {
            String path = "/" + content + "/" + bytes + "/" + name;
            String raw = new URI(SCHEME, null, path, null).getRawPath();
            return URI.create(BEGIN + raw.replace(":", "%3A").replace(",", "%2C"));
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(name, impossible);
        }
    }

    @Override
    public String toString() {
        return uri().toString();
    }
}
