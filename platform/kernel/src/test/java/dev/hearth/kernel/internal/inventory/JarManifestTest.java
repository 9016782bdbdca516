package dev.hearth.kernel.internal.inventory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds on manifests, and on the lists of entries of jars. */
class JarManifestTest {
    private static final String SECTION = "Name: a/B.class\nSHA-256-Digest: " + "x".repeat(43) + "=\n\n";

    @TempDir
    Path scratch;

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void readsTheMainSectionAlone(String lineEnd) throws Exception {
        String text = "Manifest-Version: 1.0\nBundle-SymbolicName: a.b\n  .c\n\nName: x\nBundle-Version: 7\n\n";
        assertEquals("a.b .c", value("Bundle-SymbolicName", text.replace("\n", lineEnd)));
        assertEquals("null", value("Bundle-Version", text.replace("\n", lineEnd)));
    }

    @Test
    void acceptsASignedJarOfManyFiles() throws Exception {
        String text = "Manifest-Version: 1.0\nMain-Class: a.B\n\n" + SECTION.repeat(100_000);
        assertEquals("a.B", value("Main-Class", text));
    }

    @Test
    void hasNoAttributesWithoutAManifest() throws Exception {
        assertEquals("null", value("META-INF/OTHER.MF", "Main-Class", "Main-Class: a.B\n"));
        assertEquals("a.B", value("meta-inf/manifest.mf", "Main-Class", "Main-Class: a.B\n"));
    }

    @Test
    void refusesWhatIsTooLarge() {
        assertRefused("its manifest has 1\\d+ bytes of headers", "A: " + "x".repeat(60) + "\n", 20_000);
        assertRefused("its manifest has \\d{8} bytes", "A: b\n\n" + SECTION, 220_000);
    }

    @Test
    void saysWhatIsMalformed() {
        IOException refused = assertThrows(IOException.class, () -> value("A", "no header\n"));
        assertTrue(String.valueOf(refused.getMessage()).contains("(expected: headers of the form"), refused::toString);
    }

    @Test
    void knowsTheSizeOfAListOfEntries() throws Exception {
        Path jar = scratch.resolve("many.jar");
        try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)))) {
            for (int i = 0; i < 70_000; i++) { // so many need the record of 64 bits
                out.putNextEntry(new ZipEntry("entry" + i));
            }
        }
        long size = ZipDirectorySize.of(jar);
        assertTrue(size > 70_000 * 46 && size < Files.size(jar), () -> "list of " + size + " bytes");
        assertEquals(0, ZipDirectorySize.of(Files.writeString(jar, "no zip")));
    }

    private void assertRefused(String pattern, String text, int times) {
        IOException refused = assertThrows(IOException.class, () -> value("A", text.repeat(times)));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.matches(pattern + " \\(expected: at most \\d+\\)"), message);
    }

    private String value(String header, String text) throws IOException {
        return value("META-INF/MANIFEST.MF", header, text);
    }

    private String value(String entry, String header, String text) throws IOException {
        Path jar = scratch.resolve("a.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(entry));
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return String.valueOf(JarManifest.mainAttributes(file).getValue(header));
        }
    }
}
