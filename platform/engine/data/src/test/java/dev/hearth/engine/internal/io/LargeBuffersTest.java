package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading long lines, large files and large objects reserves memory, and fails without it. */
@ParameterizedClass(name = "{0}")
@EnumSource
class LargeBuffersTest extends FilesFixture {
    private static final FileSettings SETTINGS = FileSettings.DEFAULTS;
    private static final int MEBIBYTE = 1 << 20;
    private static final int LARGE_BYTES = 5 * MEBIBYTE;

    private final ProcessMemory process = new ProcessMemory(1L << 30);
    private final MemoryBudget ample = budget(64);
    private final MemoryBudget little = budget(4);
    private final TaskMemory much = ample.open(1, () -> {});
    private final TaskMemory few = little.open(2, () -> {});

    private MemoryBudget budget(int mebibytes) {
        return process.open(new MemorySettings(0.6, 0.5, OptionalLong.of((long) mebibytes * MEBIBYTE)));
    }

    private static BufferReservation of(TaskMemory memory) {
        return new BufferReservation(() -> memory, "file of a test");
    }

    @AfterEach
    void releasesEverything() {
        assertEquals(0, much.close());
        assertEquals(0, few.close());
        ample.close();
        little.close();
    }

    private static void refused(HearthException failure) {
        assertEquals("MEMORY_EXHAUSTED", failure.code());
        assertTrue(failure.getMessage().startsWith("file of a test: "), failure.getMessage());
    }

    @Test
    void aLongLineReservesMemoryUntilShortOnesFollow() throws IOException {
        String line = "0123456789".repeat(LARGE_BYTES / 10);
        TestingPath file =
                TestingFiles.writeString(home.resolve("lines"), "short\n" + line + "\n" + "short\n".repeat(300_000));
        FileSplit whole = new FileSplit(file.toString(), 0, TestingFiles.size(file));
        try (TextLines lines = new TextLines(whole, access(SETTINGS), of(much))) {
            assertEquals("short", lines.next());
            assertEquals(line, lines.next());
            assertTrue(ample.executionUsed() >= LARGE_BYTES, "bytes " + ample.executionUsed());
            for (int i = 0; i < 200_000; i++) {
                assertEquals("short", lines.next());
            }
            assertTrue(ample.executionUsed() < 2 * MEBIBYTE, "its buffer is small again");
        }
        try (TextLines lines = new TextLines(whole, access(SETTINGS), of(few))) {
            assertEquals("short", lines.next());
            refused(assertThrows(HearthException.class, lines::next));
        }
    }

    @Test
    void aWholeFileReservesMemory() throws IOException {
        byte[] content = new byte[LARGE_BYTES];
        Arrays.fill(content, (byte) 'x');
        TestingPath path = TestingFiles.write(home.resolve("whole"), content);
        InputFile file = new InputFile(path.toString(), LARGE_BYTES);
        assertArrayEquals(content, WholeFile.bytes(file, access(SETTINGS), of(much), count -> {}));
        assertTrue(much.peak() >= LARGE_BYTES && much.peak() < 2L * LARGE_BYTES, "bytes " + much.peak());
        assertEquals(
                LARGE_BYTES,
                WholeFile.text(file, access(SETTINGS), of(much), count -> {}).length());
        refused(assertThrows(
                HearthException.class, () -> WholeFile.bytes(file, access(SETTINGS), of(few), count -> {})));
        refused(assertThrows(
                HearthException.class, () -> WholeFile.text(file, access(SETTINGS), of(few), count -> {})));
    }

    @Test
    void aLargeObjectReservesMemoryUntilSmallOnesFollow() throws IOException {
        RecordFormat format =
                new ApplicationRecordFormat(new UserObjectSerializer(LargeBuffersTest.class.getClassLoader()));
        OutputCommitter output = OutputCommitter.prepare(home.resolve("out").toString(), "job", FileCodec.NONE, stores);
        try (TaskOutputFile part = new TaskOutputFile(output.target(), 0, 0, 0, stores)) {
            ObjectOutput out = new ObjectOutput(part, format);
            out.write(new byte[LARGE_BYTES]);
            for (int i = 0; i < 10; i++) {
                out.write(new byte[MEBIBYTE / 4]);
            }
            out.finish();
            assertTrue(part.commit(() -> true));
        }
        output.commit(1);
        TestingPath file = home.resolve("out/part-00000");
        FileSplit whole = new FileSplit(file.toString(), 0, TestingFiles.size(file));
        try (ObjectInput objects = new ObjectInput(whole, format, access(SETTINGS), of(much))) {
            assertEquals(LARGE_BYTES, ((byte[]) objects.next()).length);
            assertTrue(ample.executionUsed() >= LARGE_BYTES, "bytes " + ample.executionUsed());
            for (int i = 0; i < 10; i++) {
                assertEquals(MEBIBYTE / 4, ((byte[]) objects.next()).length);
            }
            assertTrue(ample.executionUsed() < 2 * MEBIBYTE, "bytes " + ample.executionUsed());
        }
        try (ObjectInput objects = new ObjectInput(whole, format, access(SETTINGS), of(few))) {
            refused(assertThrows(HearthException.class, objects::next));
        }
    }
}
