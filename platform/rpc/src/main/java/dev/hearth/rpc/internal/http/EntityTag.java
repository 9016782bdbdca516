package dev.hearth.rpc.internal.http;

import dev.hearth.spi.stream.ContentId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/** Strong entity tags: equal tags mean equal bytes. Stateless. */
final class EntityTag {
    private static final int HASH_BYTES = 16;
    private static final String ZIPPED = "-gzip\"";

    private EntityTag() {}

    /** Tag of the content, by its hash. */
    static String of(ByteBuffer content) {
        MessageDigest digest = ContentId.digest();
        digest.update(content.duplicate());
        return quoted(digest);
    }

    /**
     * Tag of a file in its current state. Any change alters its size, its modification time, or the file that its name
     * refers to.
     */
    static String of(BasicFileAttributes file) {
        MessageDigest digest = ContentId.digest();
        String state = file.size() + " " + file.lastModifiedTime() + " " + file.fileKey();
        digest.update(state.getBytes(StandardCharsets.UTF_8));
        return quoted(digest);
    }

    /** Tag of the compressed form of content with this {@code tag}; it differs, because the bytes differ. */
    static String zipped(String tag) {
        return tag.endsWith("\"") ? tag.substring(0, tag.length() - 1) + ZIPPED : tag;
    }

    /** Whether {@code header}, an If-None-Match, contains {@code tag} or the tag of its compressed form. */
    static boolean isNamed(String header, String tag) {
        String plain = strong(tag);
        for (String candidate : header.split(",", -1)) {
            String named = strong(candidate.strip());
            if (named.equals("*") || named.equals(plain) || named.equals(zipped(plain))) {
                return true;
            }
        }
        return false;
    }

    private static String strong(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    private static String quoted(MessageDigest digest) {
        byte[] hash = digest.digest();
        return "\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, HASH_BYTES)) + "\"";
    }
}
