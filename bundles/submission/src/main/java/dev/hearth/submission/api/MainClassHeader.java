package dev.hearth.submission.api;

import dev.hearth.spi.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Reads the main class that the manifest of an application's jar names. Stateless. */
final class MainClassHeader {
    /** Maximum size of a manifest in bytes; a jar with signed entries has a few hundred bytes for each. */
    private static final int MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

    private MainClassHeader() {}

    /**
     * Returns the main class that the manifest of {@code jar} names; empty if it names none. Fails with {@code
     * PATH_MISSING} if the file is no jar.
     */
    static Optional<String> read(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry entry = zip.getEntry(JarFile.MANIFEST_NAME);
            if (entry == null) {
                return Optional.empty();
            }
            byte[] bytes;
            try (InputStream in = zip.getInputStream(entry)) {
                bytes = in.readNBytes(MANIFEST_BYTES_MAX + 1);
            }
            if (bytes.length > MANIFEST_BYTES_MAX) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "application jar: '" + jar + "': manifest of more than " + MANIFEST_BYTES_MAX
                                + " bytes (expected: at most that many); name the main class with --class");
            }
            return Optional.ofNullable(new Manifest(new ByteArrayInputStream(bytes))
                            .getMainAttributes()
                            .getValue(Attributes.Name.MAIN_CLASS))
                    .map(String::trim)
                    .filter(name -> !name.isEmpty());
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    "application jar: '" + jar + "': " + failure.getMessage()
                            + " (expected: a jar); was it copied completely?",
                    failure);
        }
    }
}
