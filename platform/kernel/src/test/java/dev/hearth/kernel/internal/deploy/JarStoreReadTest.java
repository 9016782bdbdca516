package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Constants;

/** Copies of dropped jars, and what is read from them. */
class JarStoreReadTest {
    @TempDir
    Path scratch;

    @Test
    void readsTheNameWithoutItsDirectives() throws Exception {
        Path jar = jar(new TestingBundle("a.bundle; singleton:=true", "1.0"));
        BundleJar read = store().keep(jar, FileStamp.of(jar)).jar().orElseThrow();
        assertEquals("a.bundle", read.name());
        assertTrue(Files.isRegularFile(store().path(read.content())));
    }

    @Test
    void takesAFileThatChangedSinceItsScanForIncomplete() throws Exception {
        Path jar = jar(new TestingBundle("a", "1.0"));
        FileStamp now = FileStamp.of(jar);
        FileStamp scanned = new FileStamp(now.size(), now.modifiedMillis() - 1, now.identity());
        JarReadResult reading = store().keep(jar, scanned);
        assertEquals("still written to (expected: a file at rest)", reading.problem());
        assertFalse(reading.whole());
    }

    @Test
    void keepsNoCopyOfAJarThatIsNoBundle() throws Exception {
        Path jar = jar(new TestingBundle("a", "1.0").without(Constants.BUNDLE_SYMBOLICNAME));
        assertTrue(store().keep(jar, FileStamp.of(jar)).whole());
        try (var kept = Files.list(scratch.resolve("store"))) {
            assertEquals(List.of(), kept.toList());
        }
    }

    private JarStore store() {
        return new JarStore(scratch.resolve("store"));
    }

    private Path jar(TestingBundle bundle) throws IOException {
        Path jar = scratch.resolve("a.jar");
        bundle.write(jar);
        return jar;
    }
}
