package dev.hearth.engine.internal.attachments;

import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest that names content. Stateless. */
public final class Sha256 {
    private static final int READ_BYTES = 64 * 1024;

    private Sha256() {}

    /** The name of what is in a file now. */
    public static ContentId of(Path file) throws IOException {
        MessageDigest digest = digest();
        byte[] buffer = new byte[READ_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        return id(digest);
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) { // every Java has it
            throw new IllegalStateException(impossible);
        }
    }

    static ContentId id(MessageDigest digest) {
        return new ContentId(HexFormat.of().formatHex(digest.digest()));
    }
}
