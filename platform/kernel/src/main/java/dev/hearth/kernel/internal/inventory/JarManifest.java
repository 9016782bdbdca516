package dev.hearth.kernel.internal.inventory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Reads manifests of jars that anyone may have made, within bounds. Stateless. */
public final class JarManifest {
    /** Maximum size of the main section, which alone is parsed. */
    static final int MAIN_BYTES_MAX = 1 << 20;
    /** Maximum size of a manifest; signed jars have a section for each of their files. */
    static final int BYTES_MAX = 16 << 20;

    private static final String SUBJECT = "its manifest";

    private JarManifest() {}

    /**
     * Main attributes of a jar's manifest; none if it has no manifest. Fails if the manifest is too large or cannot be
     * parsed; the message says what was expected.
     */
    public static Attributes mainAttributes(ZipFile jar) throws IOException {
        Optional<ZipEntry> entry = entry(jar);
        if (entry.isEmpty()) {
            return new Attributes();
        }
        requireAtMost(BYTES_MAX, entry.get().getSize(), "bytes");
        try (InputStream in = jar.getInputStream(entry.get())) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            requireAtMost(BYTES_MAX, bytes.length, "bytes");
            int end = mainSection(bytes);
            requireAtMost(MAIN_BYTES_MAX, end, "bytes of headers");
            return new Manifest(new ByteArrayInputStream(bytes, 0, end)).getMainAttributes();
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).startsWith(SUBJECT)) {
                throw e;
            }
            throw new IOException(SUBJECT + ": " + e.getMessage() + " (expected: headers of the form NAME: VALUE)", e);
        }
    }

    private static void requireAtMost(int most, long found, String unit) throws IOException {
        if (found > most) {
            throw new IOException(SUBJECT + " has " + found + " " + unit + " (expected: at most " + most + ")");
        }
    }

    private static Optional<ZipEntry> entry(ZipFile jar) {
        ZipEntry usual = jar.getEntry(JarFile.MANIFEST_NAME);
        return usual != null
                ? Optional.of(usual)
                : jar.stream()
                        .filter(entry ->
                                entry.getName().toUpperCase(Locale.ROOT).equals(JarFile.MANIFEST_NAME))
                        .map(entry -> (ZipEntry) entry)
                        .findFirst();
    }

    /** Length of the main section, which ends with the first empty line. */
    private static int mainSection(byte[] bytes) {
        boolean empty = true; // whether the line so far is empty
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                if (empty) {
                    return i + 1;
                }
                if (bytes[i] == '\r' && i + 1 < bytes.length && bytes[i + 1] == '\n') {
                    i++;
                }
                empty = true;
            } else {
                empty = false;
            }
        }
        return bytes.length;
    }
}
