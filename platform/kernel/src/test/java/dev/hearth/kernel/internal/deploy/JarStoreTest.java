package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.SmallDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that take more than they should, and a full disk. */
class JarStoreTest {
    private static final int CENTRAL_SIGNATURE = 0x0201_4b50;
    private static final int CENTRAL_SIZE_AT = 24;
    private static final int END_BYTES = 22;
    private static final int END_SIZE_AT = 12;

    @TempDir
    Path scratch;

    private Path jar;

    @BeforeEach
    void writeJar() throws IOException {
        jar = scratch.resolve("a.jar");
        new TestingBundle("a", "1.0.0").file("large", "x".repeat(100_000)).write(jar);
    }

    @Test
    void identifiesABundle() throws IOException {
        JarStore store = new JarStore(scratch.resolve("store"), manifest -> StartRule.ALWAYS);
        Path copy = store.incoming();
        BundleJar bundle = store.read(jar, FileStamp.of(jar), copy).jar().orElseThrow();
        assertEquals("a 1.0.0", bundle.toString());
        store.adopt(copy, bundle);
        assertTrue(Files.exists(store.path(bundle.content())));
    }

    @Test
    void refusesAFileThatIsTooLargeWithoutReadingIt() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "rw")) {
            file.setLength(JarStore.JAR_BYTES_MAX + 1); // takes no space
        }
        assertEquals("has 1073741825 bytes (expected: at most 1073741824)", problem());
    }

    @Test
    void refusesAListOfEntriesThatIsTooLong() throws IOException {
        patchEnd(END_SIZE_AT, 64 << 20);
        assertEquals("its list of entries has 67108864 bytes (expected: at most 16777216)", problem());
    }

    @Test
    void refusesEntriesThatInflateTooMuch() throws IOException {
        patchSizes(0xFFFF_FFF0);
        assertEquals("its entries inflate to more than 1073741824 bytes (expected: at most 1073741824)", problem());
    }

    @Test
    void stopsInflatingAnEntryThatIsLongerThanItSays() throws IOException {
        patchSizes(10);
        assertTrue(problem().startsWith("corrupt: entry "), this::problem);
    }

    @Test
    void refusesNamesThatLeadOutOfTheJar() throws IOException {
        new TestingBundle("a", "1.0.0").file("../../evil", "x").write(jar);
        assertEquals("entry ../../evil: leads out of the jar (expected: names without ..)", problem());
    }

    @Test
    void namesAFullDisk() throws IOException {
        try (SmallDisk disk = SmallDisk.in(scratch, 1 << 20)) {
            disk.fill();
            JarStore store = new JarStore(disk.directory().resolve("store"), manifest -> StartRule.ALWAYS);
            String problem =
                    store.read(jar, FileStamp.of(jar), store.incoming()).problem();
            assertTrue(
                    problem.contains(": No space left on device (expected: room for the files of this process)"),
                    problem);
        }
    }

    private String problem() {
        JarStore store = new JarStore(scratch.resolve("store"), manifest -> StartRule.ALWAYS);
        try {
            return store.read(jar, FileStamp.of(jar), store.incoming()).problem();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void patchEnd(int at, int value) throws IOException {
        byte[] bytes = Files.readAllBytes(jar);
        littleEndian(bytes).putInt(bytes.length - END_BYTES + at, value);
        Files.write(jar, bytes);
    }

    /** Changes the inflated size of all entries in the central directory. */
    private void patchSizes(int size) throws IOException {
        byte[] bytes = Files.readAllBytes(jar);
        ByteBuffer words = littleEndian(bytes);
        for (int at = 0; at < bytes.length - END_BYTES; at++) {
            if (words.getInt(at) == CENTRAL_SIGNATURE) {
                words.putInt(at + CENTRAL_SIZE_AT, size);
            }
        }
        Files.write(jar, bytes);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
