package dev.hearth.kernel.internal.inventory;

import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/** Copies jars and computes the hash of their bytes. Stateless. */
public final class JarHasher {
    /** Size of pieces; with small ones, a jar of 140 MB takes twice the CPU time. */
    private static final int PIECE_BYTES = 256 * 1024;

    private JarHasher() {}

    /**
     * Copies the file {@code file} to {@code copy}, replacing an older file there. Returns the hash of the bytes
     * written.
     */
    public static ContentId copy(Path file, Path copy) throws IOException {
        MessageDigest digest = ContentId.digest();
        byte[] piece = new byte[PIECE_BYTES];
        try (InputStream in = Files.newInputStream(file);
                OutputStream out = Files.newOutputStream(copy)) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                digest.update(piece, 0, read);
                out.write(piece, 0, read);
            }
        }
        return ContentId.of(digest);
    }

    /** Copies without a hash, within the kernel of the operating system. */
    public static void copyPlainly(Path file, Path copy) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel out = FileChannel.open(
                        copy,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            long size = in.size();
            for (long done = 0; done < size; ) {
                long more = in.transferTo(done, size - done, out);
                if (more <= 0) {
                    return; // it has become shorter
                }
                done += more;
            }
        }
    }
}
