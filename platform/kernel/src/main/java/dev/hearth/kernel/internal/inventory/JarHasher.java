package dev.hearth.kernel.internal.inventory;

import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;

/** Copies jars and computes the hash of their bytes. Stateless. */
public final class JarHasher {
    private JarHasher() {}

    /**
     * Copies the file {@code file} to {@code copy}, replacing an older file there. Returns the hash of the bytes
     * written.
     */
    public static ContentId copy(Path file, Path copy) throws IOException {
        MessageDigest digest = ContentId.digest();
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(copy), digest)) {
            Files.copy(file, out);
        }
        return ContentId.of(digest);
    }
}
