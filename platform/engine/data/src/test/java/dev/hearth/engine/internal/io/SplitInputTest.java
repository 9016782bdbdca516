package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Lines, whole files and records in files of every codec, intact and corrupt. */
@ParameterizedClass(name = "{0}")
@EnumSource
class SplitInputTest extends FilesFixture {
    private static final FileSettings SETTINGS = FileSettings.DEFAULTS;
    private static final FileSettings IGNORING = new FileSettings(false, true, true, false, 1, 1);
    private static final List<String> LINES =
            IntStream.range(0, 100_000).mapToObj(i -> "line " + i * 7919 % 1000).toList();

    private TestingPath write(FileCodec codec) throws IOException {
        TestingPath file = home.resolve("lines.txt" + codec.suffix());
        try (OutputStream out = codec.encode(TestingFiles.newOutputStream(file))) {
            out.write((String.join("\n", LINES) + "\n").getBytes(UTF_8));
        }
        return file;
    }

    private static InputFile input(TestingPath file) throws IOException {
        return new InputFile(file.toString(), TestingFiles.size(file));
    }

    private List<String> lines(TestingPath file, FileSettings settings) throws IOException {
        List<String> lines = new ArrayList<>();
        for (FileSplit part : FileSplitter.cut(List.of(input(file)), 3, settings)) {
            new TextLines(part, access(settings), BufferReservation.uncounted()).forEachRemaining(lines::add);
        }
        return lines;
    }

    @ParameterizedTest
    @EnumSource
    void readsLinesAndWholeTexts(FileCodec codec) throws IOException {
        TestingPath file = write(codec);
        assertEquals(LINES, lines(file, SETTINGS));
        AtomicLong read = new AtomicLong();
        assertEquals(
                String.join("\n", LINES) + "\n",
                WholeFile.text(input(file), access(SETTINGS), BufferReservation.uncounted(), read::addAndGet));
        assertEquals(TestingFiles.size(file), read.get(), "as it lies on disk");
        assertArrayEquals(
                TestingFiles.readAllBytes(file),
                WholeFile.bytes(input(file), access(SETTINGS), BufferReservation.uncounted(), count -> {}));
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void namesATruncatedFileAndTheOffset(FileCodec codec) throws IOException {
        TestingPath file = write(codec);
        byte[] whole = TestingFiles.readAllBytes(file);
        TestingFiles.write(file, Arrays.copyOf(whole, whole.length - whole.length / 3));
        HearthException damaged = assertThrows(HearthException.class, () -> lines(file, SETTINGS));
        assertEquals("FILE_DAMAGED", damaged.code());
        assertTrue(
                damaged.getMessage()
                        .startsWith("file " + file + ": corrupt at or before byte " + TestingFiles.size(file)),
                damaged.getMessage());
        assertTrue(damaged.getMessage().contains("(expected: " + codec.content() + ")"), damaged.getMessage());
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));

        List<String> before = lines(file, IGNORING);
        assertTrue(before.size() < LINES.size());
        if (!before.isEmpty()) { // the last line may be truncated as well
            assertEquals(LINES.subList(0, before.size() - 1), before.subList(0, before.size() - 1));
        }
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void namesAFileOfAnotherFormat(FileCodec codec) throws IOException {
        TestingPath file = TestingFiles.writeString(
                home.resolve("text" + codec.suffix()), "no such data at all, and then some more");
        HearthException damaged = assertThrows(HearthException.class, () -> lines(file, SETTINGS));
        assertEquals("FILE_DAMAGED", damaged.code());
        assertEquals(List.of(), lines(file, IGNORING));
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void readsRecordsOfEqualLength() throws IOException {
        byte[] content = new byte[700 * 1000];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i / 700);
        }
        TestingPath file = TestingFiles.write(home.resolve("records.bin"), content);
        List<Byte> firsts = new ArrayList<>();
        for (long from = 0; from < content.length; from += 700 * 500) {
            FixedRecords records =
                    new FixedRecords(new FileSplit(file.toString(), from, from + 700 * 500), 700, access(SETTINGS));
            records.forEachRemaining(record -> {
                assertEquals(700, record.length);
                assertEquals(record[0], record[699]);
                firsts.add(record[0]);
            });
        }
        assertEquals(1000, firsts.size());
        assertEquals((byte) 999, firsts.get(999));
        assertThrows(
                HearthException.class,
                () -> new FixedRecords(new FileSplit(file.toString(), 0, 701), 700, access(SETTINGS)));
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void readsWholeFilesThatGrewOrShrank() throws IOException {
        TestingPath file = TestingFiles.writeString(home.resolve("text.txt"), "0123456789");
        assertEquals(
                "0123456789",
                WholeFile.text(
                        new InputFile(file.toString(), 3),
                        access(SETTINGS),
                        BufferReservation.uncounted(),
                        count -> {}));
        assertEquals(
                "",
                WholeFile.text(
                        new InputFile(
                                TestingFiles.createFile(home.resolve("no")).toString(), 0),
                        access(SETTINGS),
                        BufferReservation.uncounted(),
                        count -> {}));
        HearthException shrunk = assertThrows(
                HearthException.class,
                () -> WholeFile.bytes(
                        new InputFile(file.toString(), 11),
                        access(SETTINGS),
                        BufferReservation.uncounted(),
                        count -> {}));
        assertEquals("FILE_DAMAGED", shrunk.code());
    }

    @Test
    void reportsTheSystemErrorForADirectory() {
        HearthException failed = assertThrows(
                HearthException.class,
                () -> WholeFile.bytes(
                        new InputFile(home.toString(), 11),
                        access(SETTINGS),
                        BufferReservation.uncounted(),
                        count -> {}));
        assertEquals("PATH_MISSING", failed.code());
        assertTrue(failed.getMessage().contains("cannot be opened"), failed.getMessage());
    }
}
