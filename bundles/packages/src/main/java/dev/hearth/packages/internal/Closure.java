package dev.hearth.packages.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Result of a resolution: the jars of all packages in the order of the class path. {@code changes} is set if an equal
 * request may have another result later, because of snapshots or ranges of versions. {@code warnings} are lines for the
 * user. Immutable.
 */
record Closure(List<Jar> jars, boolean changes, List<String> warnings) {
    private static final int BUFFER_BYTES = 64 * 1024;

    Closure {
        jars = List.copyOf(jars);
        warnings = List.copyOf(warnings);
    }

    /** Jar with what its content is recognised by. */
    record Jar(Path path, long bytes, long modifiedMillis, String sha256) {
        /** Describes a file. */
        static Jar of(Path path) throws IOException {
            return new Jar(
                    path,
                    Files.size(path),
                    Files.getLastModifiedTime(path).toMillis(),
                    HexFormat.of().formatHex(digest(path, "SHA-256")));
        }

        /**
         * Whether the file still has the content. A file with the same size and time of change is taken as unchanged
         * without a look at its bytes.
         */
        boolean isUnchanged() throws IOException {
            if (!Files.isRegularFile(path) || Files.size(path) != bytes) {
                return false;
            }
            return Files.getLastModifiedTime(path).toMillis() == modifiedMillis
                    || HexFormat.of().formatHex(digest(path, "SHA-256")).equals(sha256);
        }
    }

    /** The hash of a file. */
    static byte[] digest(Path path, String algorithm) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java platform has SHA-1 and SHA-256
        }
    }

    List<Path> paths() {
        return jars.stream().map(Jar::path).toList();
    }
}
