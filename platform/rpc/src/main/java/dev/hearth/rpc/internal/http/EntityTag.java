package dev.hearth.rpc.internal.http;

import dev.hearth.spi.stream.ContentId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

/** Creates and compares strong entity tags (HTTP ETags): equal tags mean equal bytes. Stateless. */
final class EntityTag {
    private static final int HASH_BYTES = 16;
    private static final String ZIPPED = "-gzip\"";

    private EntityTag() {}

    /** Computes the entity tag of {@code content} from a hash of its bytes. */
    static String of(ByteBuffer content) {
        MessageDigest digest = ContentId.digest();
        digest.update(content.duplicate());
        return quoted(digest);
    }

    /**
     * Computes the entity tag of a file from its size, modification time and identity. Any change of the file alters at
     * least one of them.
     */
    static String of(BasicFileAttributes file) {
        MessageDigest digest = ContentId.digest();
        String state = file.size() + " " + file.lastModifiedTime() + " " + file.fileKey();
        digest.update(state.getBytes(StandardCharsets.UTF_8));
        return quoted(digest);
    }

    /**
     * Computes the entity tag of the compressed form of a response whose uncompressed form has {@code tag}. The tags
     * differ, because the bytes differ.
     */
    static String zipped(String tag) {
        return tag.endsWith("\"") ? tag.substring(0, tag.length() - 1) + ZIPPED : tag;
    }

    /** Whether {@code header}, the value of If-None-Match, contains {@code tag} or the tag of its compressed form. */
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
