package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "{0}")
@EnumSource
class TextLinesTest extends FilesFixture {
    private static final FileSettings SETTINGS = FileSettings.DEFAULTS;

    private TestingPath file;

    private TestingPath write(byte[] content) throws IOException {
        file = home.resolve("text.txt");
        return TestingFiles.write(file, content);
    }

    private List<String> read(long from, long until, int bufferBytes) {
        List<String> lines = new ArrayList<>();
        try (TextLines in = new TextLines(
                new FileSplit(file.toString(), from, until),
                access(SETTINGS),
                BufferReservation.uncounted(),
                bufferBytes,
                RecordOutput.BYTES_MAX)) {
            in.forEachRemaining(lines::add);
        }
        return lines;
    }

    private List<String> readCut(long[] cuts, int bufferBytes) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i + 1 < cuts.length; i++) {
            lines.addAll(read(cuts[i], cuts[i + 1], bufferBytes));
        }
        return lines;
    }

    /** Reference implementation: splits a text into lines character by character. */
    private static List<String> plainly(byte[] content) {
        String text = new String(content, ISO_8859_1);
        int at = text.startsWith("\u00EF\u00BB\u00BF") ? 3 : 0;
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        boolean open = false;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\n' || c == '\r') {
                if (c == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
                    at++;
                }
                lines.add(new String(line.toString().getBytes(ISO_8859_1), UTF_8));
                line.setLength(0);
                open = false;
            } else {
                line.append(c);
                open = true;
            }
        }
        if (open) {
            lines.add(new String(line.toString().getBytes(ISO_8859_1), UTF_8));
        }
        return lines;
    }

    @Test
    void readsEveryShortTextEquallyWithAnySplits() throws IOException {
        char[] alphabet = {'a', '\n', '\r'};
        for (int length = 0; length <= 6; length++) {
            for (int code = 0; code < Math.pow(alphabet.length, length); code++) {
                byte[] content = new byte[length];
                for (int i = 0, rest = code; i < length; i++, rest /= alphabet.length) {
                    content[i] = (byte) alphabet[rest % alphabet.length];
                }
                write(content);
                List<String> expected = plainly(content);
                for (int bufferBytes : new int[] {4, 64}) {
                    for (int first = 0; first <= length; first++) {
                        for (int second = first; second <= length; second++) {
                            assertEquals(
                                    expected,
                                    readCut(new long[] {0, first, second, length}, bufferBytes),
                                    () -> "text "
                                            + new String(content, UTF_8)
                                                    .replace('\n', 'N')
                                                    .replace('\r', 'R'));
                        }
                    }
                }
            }
        }
    }

    @Test
    void readsATextWithAByteOrderMarkWithAnySplits() throws IOException {
        for (String text : List.of("", "\n", "\r\n", "a", "a\n", "\na", "\r\nab\rc")) {
            byte[] content = ("\uFEFF" + text).getBytes(UTF_8);
            write(content);
            for (int first = 0; first <= content.length; first++) {
                for (int second = first; second <= content.length; second++) {
                    assertEquals(
                            plainly(content),
                            readCut(new long[] {0, first, second, content.length}, 4),
                            text + " at " + first + ", " + second);
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42, 4711})
    void readsAnyBytesEquallyWithAnySplits(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            byte[] content = randomText(random);
            write(content);
            long[] cuts = random.longs(1 + random.nextInt(6), 0, content.length + 1L)
                    .sorted()
                    .toArray();
            cuts[0] = 0;
            cuts[cuts.length - 1] = content.length;
            cuts = cuts.length == 1 ? new long[] {0, content.length} : cuts;
            int bufferBytes = 4 + random.nextInt(60);
            assertEquals(plainly(content), readCut(cuts, bufferBytes), "round " + round + " of seed " + seed);
        }
    }

    private static byte[] randomText(SplittableRandom random) {
        byte[] content = new byte[1 + random.nextInt(400)];
        int rareness = 1 + random.nextInt(40);
        for (int i = 0; i < content.length; i++) {
            int kind = random.nextInt(rareness + 2);
            content[i] = kind == 0 ? (byte) '\n' : kind == 1 ? (byte) '\r' : (byte) random.nextInt(256);
        }
        return content;
    }

    @Test
    void replacesWhatIsNoUtf8AndKeepsWhatIs() throws IOException {
        byte[] content = "gr\u00FC\u00DFe \u65E5\u672C \uD83D\uDE00\n\t-\uFFFD-\u0000\u0085\u2028x".getBytes(UTF_8);
        write(content);
        assertEquals(
                List.of("gr\u00FC\u00DFe \u65E5\u672C \uD83D\uDE00", "\t-\uFFFD-\u0000\u0085\u2028x"),
                read(0, content.length, 64));
        write(new byte[] {'a', (byte) 0xFF, 'b', '\n', (byte) 0xC3});
        assertEquals(List.of("a\uFFFDb", "\uFFFD"), read(0, 5, 64));
    }

    @Test
    void returnsLinesOneByOneAndClosesItsFile() throws IOException {
        write("a\nb".getBytes(UTF_8));
        TextLines lines =
                new TextLines(new FileSplit(file.toString(), 0, 3), access(SETTINGS), BufferReservation.uncounted());
        assertEquals(home.isLocal() ? List.of(file.toString()) : List.of(), OpenFileDescriptors.below(temporary));
        assertTrue(lines.hasNext());
        assertTrue(lines.hasNext());
        assertEquals("a", lines.next());
        assertEquals("b", lines.next());
        assertFalse(lines.hasNext());
        assertThrows(NoSuchElementException.class, lines::next);
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void refusesALineOverTheLimitAndClosesItsFile() throws IOException {
        write(("short\n" + "x".repeat(100) + "\n").getBytes(UTF_8));
        TextLines lines = new TextLines(
                new FileSplit(file.toString(), 0, 107), access(SETTINGS), BufferReservation.uncounted(), 8, 64);
        assertEquals("short", lines.next());
        HearthException refused = assertThrows(HearthException.class, lines::next);
        assertEquals("BAD_ARGUMENT", refused.code());
        assertTrue(
                refused.getMessage().contains(file + ": a line of more than 64 bytes at byte 6"), refused.getMessage());
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void readsALineOfManyBuffers() throws IOException {
        String line = "0123456789".repeat(100_000);
        write((line + "\r\n" + line).getBytes(UTF_8));
        assertEquals(List.of(line, line), read(0, TestingFiles.size(file), 64));
        assertEquals(List.of(line), read(5, TestingFiles.size(file), 4096));
        assertEquals(List.of(), read(1_000_003, TestingFiles.size(file), 4096));
    }

    @Test
    void readsBeyondTwoGibibytes() throws IOException {
        if (!home.isLocal()) {
            return; // only local files can be sparse
        }
        file = home.resolve("sparse.txt");
        long middle = 3L << 30;
        try (RandomAccessFile sparse = new RandomAccessFile(file.toString(), "rw")) {
            sparse.seek(middle);
            sparse.write("\nhere\nthere\n".getBytes(UTF_8));
        }
        long length = TestingFiles.size(file);
        assertEquals(List.of("here", "there"), read(middle, length, TextLines.BUFFER_BYTES));
        assertEquals(List.of("here"), read(middle + 1, middle + 2, TextLines.BUFFER_BYTES));
        assertEquals(List.of("there"), read(middle + 2, length, TextLines.BUFFER_BYTES));
    }

    @Test
    void detectsAFileThatShrank() throws IOException {
        write("a\nb\n".getBytes(UTF_8));
        TextLines lines =
                new TextLines(new FileSplit(file.toString(), 0, 9), access(SETTINGS), BufferReservation.uncounted());
        assertEquals("a", lines.next());
        assertEquals("b", lines.next());
        HearthException damaged = assertThrows(HearthException.class, lines::hasNext);
        assertEquals("FILE_DAMAGED", damaged.code());
        assertTrue(
                damaged.getMessage().startsWith("file " + file + ": corrupt at or before byte 4"),
                damaged.getMessage());
        assertEquals(List.of(), OpenFileDescriptors.below(temporary));
    }

    @Test
    void isNotDisturbedByAnInterrupt() throws IOException {
        write("a\nb\n".getBytes(UTF_8));
        Thread.currentThread().interrupt();
        assertEquals(List.of("a", "b"), read(0, 4, 64));
        assertTrue(Thread.interrupted());
    }

    @Test
    void reportsAMissingFileUnlessIgnored() {
        file = home.resolve("gone.txt");
        HearthException gone = assertThrows(HearthException.class, () -> read(0, 9, 64));
        assertEquals("PATH_MISSING", gone.code());
        FileSettings ignoring = new FileSettings(true, false, true, false, 1, 1);
        assertFalse(new TextLines(new FileSplit(file.toString(), 0, 9), access(ignoring), BufferReservation.uncounted())
                .hasNext());
    }
}
