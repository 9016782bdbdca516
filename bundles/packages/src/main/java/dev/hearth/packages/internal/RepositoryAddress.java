package dev.hearth.packages.internal;

import dev.hearth.spi.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Address of a repository, without the user and password that its text may contain before an {@code @}. Immutable.
 *
 * @param url the address, which messages may show
 * @param user the user and the password, separated by a colon; empty if the text has none
 */
record RepositoryAddress(String url, Optional<String> user) {
    /** Parses the text of a setting. Fails with {@code BAD_ARGUMENT}. */
    static RepositoryAddress parse(String text) {
        try {
            URI uri = new URI(text.strip());
            if (uri.getScheme() == null || (uri.getHost() == null && uri.getPath() == null)) {
                throw bad(withoutUser(text), "no address", null);
            }
            Optional<String> user = Optional.ofNullable(uri.getRawUserInfo())
                    .map(info -> java.net.URLDecoder.decode(info.replace("+", "%2B"), StandardCharsets.UTF_8));
            return new RepositoryAddress(withoutUser(uri.toString()), user);
        } catch (URISyntaxException malformed) {
            throw bad(withoutUser(text), malformed.getReason(), malformed);
        }
    }

    /** An address as messages and files may show it. */
    static String withoutUser(String text) {
        return text.replaceFirst("//[^/@]*@", "//");
    }

    private static RuntimeException bad(String text, String found, Exception cause) {
        String message = "repository '" + text + "': " + found
                + " (expected: an address such as https://host/path or file:/home/me/repository)";
        return cause == null ? ErrorCode.BAD_ARGUMENT.failure(message) : ErrorCode.BAD_ARGUMENT.failure(message, cause);
    }
}
