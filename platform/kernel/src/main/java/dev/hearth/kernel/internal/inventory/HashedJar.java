package dev.hearth.kernel.internal.inventory;

import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Jars by the hash of their bytes. Stateless. */
public final class HashedJar {
    private HashedJar() {}

    /** The content of a file. */
    public static ContentId of(Path file) throws IOException {
        return read(file, OutputStream.nullOutputStream());
    }

    /** Writes {@code file} to {@code copy}, over what is there, and says what was written. */
    public static ContentId copy(Path file, Path copy) throws IOException {
        return read(file, Files.newOutputStream(copy));
    }

    private static ContentId read(Path file, OutputStream to) throws IOException {
        MessageDigest hash;
        try {
            hash = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        try (OutputStream out = new DigestOutputStream(to, hash)) {
            Files.copy(file, out);
        }
        return new ContentId(HexFormat.of().formatHex(hash.digest()));
    }
}
