package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of dropped jars, and what is read from them. */
class JarStoreReadTest {
    @TempDir
    Path scratch;

    private Path copy;

    @Test
    void readsTheNameWithoutItsDirectives() throws Exception {
        Path jar = jar(new TestingBundle("a.bundle; singleton:=true", "1.0"));
        assertEquals(
                "a.bundle", read(jar, FileStamp.of(jar)).jar().orElseThrow().name());
        assertTrue(Files.isRegularFile(copy));
    }

    @Test
    void takesAFileThatChangedSinceItsScanForIncomplete() throws Exception {
        Path jar = jar(new TestingBundle("a", "1.0"));
        FileStamp now = FileStamp.of(jar);
        JarReadResult reading = read(jar, new FileStamp(now.size(), now.modifiedMillis() - 1, now.identity()));
        assertTrue(reading.problem().startsWith("still being written"), reading.problem());
        assertFalse(reading.whole());
    }

    private Path jar(TestingBundle bundle) throws IOException {
        Path jar = scratch.resolve("a.jar");
        bundle.write(jar);
        return jar;
    }

    private JarReadResult read(Path jar, FileStamp stamp) {
        JarStore store = new JarStore(scratch.resolve("store"), manifest -> StartRule.ALWAYS);
        copy = store.incoming();
        return store.read(jar, stamp, copy);
    }
}
