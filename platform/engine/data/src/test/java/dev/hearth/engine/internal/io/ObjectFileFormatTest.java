package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.serializer.ApplicationRecordFormat;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.spi.storage.FileName;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@EnumSource
class ObjectFileFormatTest extends FilesFixture {
    private static final FileSettings SETTINGS = FileSettings.DEFAULTS;
    private static final FileSettings IGNORING = new FileSettings(true, true, true, false, 1, 1);

    private InputFile write(List<Object> elements) throws IOException {
        return write(elements, new TestingRecords());
    }

    private InputFile write(List<Object> elements, RecordFormat format) throws IOException {
        OutputCommitter output = OutputCommitter.prepare(home.resolve("out").toString(), "job", FileCodec.NONE, stores);
        format.writer().write(new int[] {4, 2}, scratch());
        try (TaskOutputFile part = new TaskOutputFile(output.target(), 0, 0, 0, stores)) {
            ObjectOutput out = new ObjectOutput(part, format);
            elements.forEach(out::write);
            out.finish();
            assertTrue(part.commit(() -> true));
        }
        output.commit(1);
        return InputPaths.find(home.resolve("out").toString(), access(SETTINGS)).get(0);
    }

    private static RecordOutput scratch() {
        return new RecordOutput(64);
    }

    private List<Object> read(List<FileSplit> parts, FileSettings settings) {
        return read(parts, new TestingRecords(), settings);
    }

    private List<Object> read(List<FileSplit> parts, RecordFormat format, FileSettings settings) {
        List<Object> elements = new ArrayList<>();
        for (FileSplit part : parts) {
            new ObjectInput(part, format, access(settings), BufferReservation.uncounted())
                    .forEachRemaining(elements::add);
        }
        return elements;
    }

    /** Several batches, one of them with a single large record. */
    private static List<Object> elements(int count) {
        List<Object> elements = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < count; i++) {
            elements.add(
                    switch (i % 4) {
                        case 0 -> i;
                        case 1 -> "text " + i;
                        case 2 -> null;
                        default -> "x".repeat(random.nextInt(1000));
                    });
        }
        elements.add("large".repeat(200_000));
        elements.add("last");
        return elements;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10_000})
    void anotherProcessReadsAllObjectsWithAnySplits(int count) throws IOException {
        List<Object> elements = elements(count);
        InputFile file = write(elements);
        assertEquals(elements, read(List.of(file.whole()), SETTINGS));
        for (int pieces : new int[] {2, 3, 7, 50}) {
            assertEquals(elements, read(FileSplitter.cut(List.of(file), pieces, SETTINGS), SETTINGS));
        }
        SplittableRandom random = new SplittableRandom(count);
        for (int round = 0; round < 50; round++) {
            long cut = random.nextLong(file.length() + 1);
            List<FileSplit> parts =
                    List.of(new FileSplit(file.path(), 0, cut), new FileSplit(file.path(), cut, file.length()));
            assertEquals(elements, read(parts, SETTINGS), "cut at " + cut);
        }
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void everyBatchBelongsToOneSplitWhereverThatIsCut() throws IOException {
        List<Object> elements = elements(3_000);
        InputFile file = write(elements);
        ObjectFileFooter table = Objects.requireNonNull(ObjectFileFooter.read(file, access(SETTINGS)));
        long[] offsets = table.offsets(file.whole());
        assertTrue(offsets.length > 3, "several batches");
        for (long offset : offsets) {
            for (long cut = offset - 1; cut <= offset + 1; cut++) {
                List<FileSplit> parts =
                        List.of(new FileSplit(file.path(), 0, cut), new FileSplit(file.path(), cut, file.length()));
                assertEquals(elements, read(parts, SETTINGS), "cut at " + cut + ", batch at " + offset);
            }
        }
    }

    private record Point(int x, List<String> names) implements Serializable {}

    private record Other(String text) implements Serializable {}

    @Test
    void anotherApplicationReadsTheObjects() throws IOException {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            elements.add(i % 2 == 0 ? new Point(i, List.of("p", "q" + i)) : new Other("o" + i));
        }
        InputFile file = write(elements, format());
        RecordFormat another = format();
        another.writer().write(new Other("what this one met first"), scratch());
        assertEquals(elements, read(FileSplitter.cut(List.of(file), 5, SETTINGS), another, SETTINGS));
    }

    private static RecordFormat format() {
        return new ApplicationRecordFormat(new UserObjectSerializer(ObjectFileFormatTest.class.getClassLoader()));
    }

    @Test
    void readsAnEmptyFile() throws IOException {
        assertEquals(List.of(), read(List.of(write(List.of()).whole()), SETTINGS));
    }

    @Test
    void detectsEveryCorruptByteAndTruncation() throws IOException {
        List<Object> elements = elements(2_000);
        InputFile file = write(elements);
        TestingPath path = new TestingPath(stores, FileName.parse(file.path()));
        byte[] whole = TestingFiles.readAllBytes(path);
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 300; round++) {
            byte[] damaged = whole.clone();
            int at = round < 60 ? whole.length - 1 - round : 8 + random.nextInt(whole.length - 8);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            expectDamage(path, round % 2 == 0 ? damaged : Arrays.copyOf(whole, at));
        }
        expectDamage(path, new byte[0]);
        expectDamage(
                path,
                "no object file at all, but long enough for one".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    private void expectDamage(TestingPath path, byte[] content) throws IOException {
        TestingFiles.write(path, content);
        FileSplit part = new FileSplit(path.toString(), 0, content.length);
        HearthException told = assertThrows(HearthException.class, () -> read(List.of(part), SETTINGS));
        assertEquals("FILE_DAMAGED", told.code());
        assertTrue(told.getMessage().startsWith("file " + path + ": "), told.getMessage());
        assertTrue(read(List.of(part), IGNORING).size() <= 2_002);
    }

    @Test
    void reportsAMissingFile() {
        FileSplit gone = new FileSplit(home.resolve("gone").toString(), 0, 99);
        HearthException told = assertThrows(HearthException.class, () -> read(List.of(gone), SETTINGS));
        assertEquals("PATH_MISSING", told.code());
        assertEquals(List.of(), read(List.of(gone), IGNORING));
    }

    /** Fails to deserialise when {@link #closed} is set. */
    private record Door(int number) implements Serializable {
        static boolean closed;

        Door {
            if (closed && number == 1) {
                throw new IllegalStateException("door " + number);
            }
        }
    }

    @Test
    void readsNothingAfterAReadFailure() throws IOException {
        ApplicationRecordFormat records =
                new ApplicationRecordFormat(new UserObjectSerializer(ObjectFileFormatTest.class.getClassLoader()));
        Door.closed = false;
        InputFile file = write(List.of(new Door(0), new Door(1), new Door(2)), records);
        Door.closed = true;
        try (ObjectInput input =
                new ObjectInput(file.whole(), records, access(IGNORING), BufferReservation.uncounted())) {
            assertEquals(new Door(0), input.next());
            assertThrows(RuntimeException.class, input::next);
            assertThrows(HearthException.class, input::hasNext, "it is not at its end");
            assertThrows(HearthException.class, input::next);
        } finally {
            Door.closed = false;
        }
    }
}
