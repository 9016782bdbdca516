package dev.hearth.httpfs.internal;

import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.StoreException;
import dev.hearth.spi.stream.ContentId;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of a file: the URI to request, the value of the header {@code Authorization} for its own server, and the hash
 * that the content must have. The parameter {@code sha256} is not sent. Immutable.
 */
record HttpAddress(URI target, Optional<String> authorization, Optional<ContentId> content) {
    private static final Pattern HASH = Pattern.compile("([?&])sha256=([^&]*)(&?)");
    private static final Pattern ILLEGAL =
            Pattern.compile("[^A-Za-z0-9\\-._~:/?\\[\\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})");

    /** The address that {@code file} names. Fails if it names no server, or a malformed hash. */
    static HttpAddress parse(FileName file) throws StoreException {
        String path = file.path();
        Optional<ContentId> content = Optional.empty();
        Matcher hash = HASH.matcher(path);
        if (hash.find()) {
            content = Optional.of(content(hash.group(2)));
            path = path.substring(0, hash.start())
                    + (hash.group(3).isEmpty() ? "" : hash.group(1))
                    + path.substring(hash.end());
        }
        String authority = file.authority();
        int at = authority.lastIndexOf('@');
        String server = authority.substring(at + 1);
        Optional<String> user = at < 0 ? Optional.empty() : Optional.of(basic(authority.substring(0, at)));
        try {
            URI target = new URI(file.scheme() + "://" + server + encoded(path)).parseServerAuthority();
            if (target.getHost() == null) {
                throw malformed("no server in the address", null);
            }
            return new HttpAddress(target, user, content);
        } catch (URISyntaxException malformed) {
            throw malformed("no address of a file, " + malformed.getReason(), malformed);
        }
    }

    private static StoreException malformed(String what, @Nullable Exception cause) {
        String advice = "write it as https://host/path/name.jar";
        return cause == null ? new StoreException(what, advice) : new StoreException(what, advice, cause);
    }

    private static ContentId content(String hash) throws StoreException {
        try {
            return new ContentId(hash.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException malformed) {
            throw new StoreException(
                    "sha256 '" + hash + "' is no hash",
                    "write its 64 hexadecimal digits, as sha256sum prints them",
                    malformed);
        }
    }

    private static String basic(String user) {
        byte[] plain = FileName.decode(user).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(plain);
    }

    /** Replaces characters that a URI may not contain, as browsers do. */
    private static String encoded(String path) {
        return ILLEGAL.matcher(path).replaceAll(found -> {
            StringBuilder escaped = new StringBuilder();
            for (byte each : found.group().getBytes(StandardCharsets.UTF_8)) {
                escaped.append(String.format("%%%02X", each));
            }
            return escaped.toString();
        });
    }

    /** Whether {@code other} is on the server of this address, which may get the password. */
    boolean isOwn(URI other) {
        return target.getScheme().equalsIgnoreCase(other.getScheme())
                && target.getAuthority().equalsIgnoreCase(other.getAuthority());
    }

    /** The address as people may see it. */
    @Override
    public String toString() {
        return Secrets.shownAddress(target.toString());
    }
}
