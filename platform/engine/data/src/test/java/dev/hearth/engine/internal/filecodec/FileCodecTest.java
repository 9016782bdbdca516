package dev.hearth.engine.internal.filecodec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Files written by the reference tools of each format and by our encoders, and any corruption of these. */
class FileCodecTest {
    private static final String ZSTD_UNCHECKED = "frames.zst";

    /** Decoded content of all sample files. */
    private static byte[] sample() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            text.append("line " + i / 50 + " of the sample, " + i * i % 97 + "\n" + "run ".repeat(i % 7) + "\n");
        }
        return text.toString().getBytes(UTF_8);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(FileCodecTest.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    private static byte[] decode(FileCodec codec, byte[] file, int stepBytes) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (InputStream in = codec.decode(new Dribble(file, stepBytes))) {
            byte[] buffer = new byte[stepBytes];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                assertTrue(read > 0, "a read of no bytes");
                text.write(buffer, 0, read);
            }
            assertEquals(-1, in.read(buffer), "the end stays the end");
        }
        return text.toByteArray();
    }

    private static byte[] encode(FileCodec codec, byte[] text) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = codec.encode(file)) {
            int half = text.length / 2;
            out.write(text, 0, half);
            out.write(text, half, text.length - half);
        }
        return file.toByteArray();
    }

    /** Returns at most that many bytes per read. */
    private static final class Dribble extends InputStream {
        private final InputStream in;
        private final int stepBytes;

        Dribble(byte[] bytes, int stepBytes) {
            this.in = new ByteArrayInputStream(bytes);
            this.stepBytes = stepBytes;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return in.read(bytes, from, Math.min(length, stepBytes));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sample.gz",
                "members.gz",
                "sample.zst",
                "frames.zst",
                "sample.lz4",
                "linked.lz4",
                "frames.lz4",
                "sample.bz2",
                "streams.bz2",
                "sample.deflate",
                "hadoop.lz4",
                "hadoop.snappy"
            })
    void readsFilesOfTheReferenceTools(String name) throws IOException {
        FileCodec codec = FileCodec.of(name);
        assertArrayEquals(sample(), decode(codec, resource(name), 1 << 16));
        assertArrayEquals(sample(), decode(codec, resource(name), 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "members.gz",
                "sample.zst",
                ZSTD_UNCHECKED,
                "linked.lz4",
                "frames.lz4",
                "streams.bz2",
                "sample.deflate",
                "hadoop.snappy",
                "hadoop.lz4"
            })
    void detectsEveryTruncation(String name) throws IOException {
        byte[] whole = resource(name);
        byte[] text = sample();
        SplittableRandom random = new SplittableRandom(name.hashCode());
        for (int round = 0; round < 150; round++) {
            int length = round < 60 ? whole.length - 1 - round : 1 + random.nextInt(whole.length - 1);
            byte[] cut = Arrays.copyOf(whole, length);
            try {
                byte[] read = decode(FileCodec.of(name), cut, 4096);
                // all members except the last ones are a valid file as well
                assertArrayEquals(Arrays.copyOf(text, read.length), read);
                assertTrue(
                        read.length == 100_000
                                || read.length == text.length
                                || read.length == 0
                                || name.startsWith("hadoop"), // a file without its last blocks is valid as well
                        name + " at " + length);
            } catch (IOException told) {
                assertTrue(String.valueOf(told.getMessage()).length() > 5, () -> "said " + told);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sample.gz", "sample.zst", "sample.lz4", "linked.lz4", "sample.bz2", "sample.deflate"})
    void neverDecodesCorruptBytesAsText(String name) throws IOException {
        byte[] whole = resource(name);
        byte[] text = sample();
        SplittableRandom random = new SplittableRandom(name.hashCode());
        for (int round = 0; round < 300; round++) {
            byte[] altered = whole.clone();
            int at = round < 40 ? round : random.nextInt(whole.length);
            altered[at] ^= (byte) (1 << random.nextInt(8));
            try {
                assertArrayEquals(text, decode(FileCodec.of(name), altered, 4096), name + " altered at " + at);
            } catch (IOException told) {
                assertTrue(String.valueOf(told.getMessage()).length() > 5, () -> "said " + told);
            }
        }
    }

    /** The checksum or length of the whole content, which no other check covers. */
    @ParameterizedTest
    @CsvSource({"sample.gz, 8, 8", "sample.lz4, 4, 4", "sample.bz2, 3, 1", "sample.deflate, 4, 4"})
    void verifiesTheTrailer(String name, int beforeEnd, int bytes) throws IOException {
        byte[] whole = resource(name);
        for (int at = whole.length - beforeEnd; at < whole.length - beforeEnd + bytes; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] altered = whole.clone();
                altered[at] ^= (byte) (1 << bit);
                String which = name + ", byte " + at + ", bit " + bit;
                assertThrows(IOException.class, () -> decode(FileCodec.of(name), altered, 4096), which);
            }
        }
    }

    /** The format has no checksums, so that lengths alone can be wrong. */
    @Test
    void refusesImpossibleLengthsInBlocksOfHadoop() throws IOException {
        byte[] text = "some text".getBytes(UTF_8);
        byte[] file = encode(FileCodec.SNAPPY, text);
        assertArrayEquals(text, decode(FileCodec.SNAPPY, file, 4096));
        for (int at : new int[] {0, 3, 4, 7, 8}) {
            byte[] altered = file.clone();
            altered[at] += (byte) (altered[at] + 2);
            assertThrows(IOException.class, () -> decode(FileCodec.SNAPPY, altered, 4096), "byte " + at);
        }
        byte[] empty = {0, 0, 0, 0};
        assertEquals(0, decode(FileCodec.SNAPPY, empty, 16).length, "a writer without content writes an empty block");
    }

    @Test
    void verifiesTheContentSizeOfLz4Frames() throws IOException {
        byte[] text = "some text".getBytes(UTF_8);
        assertArrayEquals(text, decode(FileCodec.LZ4, sizedLz4(text, text.length), 4096));
        for (long stated : new long[] {0, text.length - 1, text.length + 1, 1L << 40}) {
            assertThrows(IOException.class, () -> decode(FileCodec.LZ4, sizedLz4(text, stated), 4096), "" + stated);
        }
    }

    @Test
    void verifiesTheChecksumOfLz4Blocks() throws IOException {
        byte[] text = "some text".getBytes(UTF_8);
        int sum = XxHash32.of(text, 0, text.length);
        assertArrayEquals(text, decode(FileCodec.LZ4, checkedLz4(text, sum), 4096));
        assertThrows(IOException.class, () -> decode(FileCodec.LZ4, checkedLz4(text, sum + 1), 4096));
    }

    /** A frame of one uncompressed block with a checksum. */
    private static byte[] checkedLz4(byte[] text, int checksum) {
        ByteBuffer frame = ByteBuffer.allocate(64 + text.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(Lz4Frame.MAGIC);
        frame.put((byte) (Lz4Frame.VERSION | Lz4Frame.INDEPENDENT | Lz4Frame.BLOCK_CHECKED));
        frame.put((byte) (4 << 4));
        frame.put(Lz4Frame.check(frame.array(), Integer.BYTES, 2));
        frame.putInt(text.length | Lz4Frame.STORED).put(text).putInt(checksum).putInt(0);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    @Test
    void verifiesTheChecksumOfAGzipHeader() throws IOException {
        byte[] text = "some text".getBytes(UTF_8);
        byte[] file = encode(FileCodec.GZIP, text);
        file[3] |= 2; // the flag of the checksum, which follows the ten bytes of the header
        CRC32 sum = new CRC32();
        sum.update(file, 0, 10);
        for (int difference : new int[] {0, 1, 0x100}) {
            int checksum = (int) sum.getValue() ^ difference;
            byte[] checked = ByteBuffer.allocate(file.length + 2)
                    .put(file, 0, 10)
                    .put((byte) checksum)
                    .put((byte) (checksum >>> 8))
                    .put(file, 10, file.length - 10)
                    .array();
            if (difference == 0) {
                assertArrayEquals(text, decode(FileCodec.GZIP, checked, 4096));
            } else {
                assertThrows(IOException.class, () -> decode(FileCodec.GZIP, checked, 4096));
            }
        }
    }

    /** A frame with its content size in the header, and one uncompressed block. */
    private static byte[] sizedLz4(byte[] text, long stated) {
        ByteBuffer frame = ByteBuffer.allocate(64 + text.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(Lz4Frame.MAGIC);
        frame.put((byte) (Lz4Frame.VERSION | Lz4Frame.INDEPENDENT | Lz4Frame.SIZED));
        frame.put((byte) (4 << 4)).putLong(stated);
        frame.put(Lz4Frame.check(frame.array(), Integer.BYTES, 2 + Long.BYTES));
        frame.putInt(text.length | Lz4Frame.STORED).put(text).putInt(0);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    /** Their header states the decoded length, which is not that of the block in the file. */
    @Test
    void readsRunLengthBlocksOfZstd() throws IOException {
        ByteBuffer frames = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        for (int frame = 0; frame < 2; frame++) {
            frames.putInt(0xFD2FB528).put((byte) 0x20).put((byte) 100); // single segment of 100 bytes
            int header = 100 << 3 | 1 << 1 | 1; // the last block, repeats one byte
            frames.put((byte) header).put((byte) (header >>> 8)).put((byte) 0);
            frames.put((byte) ('a' + frame));
        }
        byte[] file = Arrays.copyOf(frames.array(), frames.position());
        byte[] expected = ("a".repeat(100) + "b".repeat(100)).getBytes(UTF_8);
        assertArrayEquals(expected, decode(FileCodec.ZSTD, file, 4096));
        assertArrayEquals(expected, decode(FileCodec.ZSTD, file, 7));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void refusesTrailingBytes(FileCodec codec) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(encode(codec, sample()));
        file.write("something else".getBytes(UTF_8));
        assertThrows(IOException.class, () -> decode(codec, file.toByteArray(), 4096));
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatItWrites(FileCodec codec) throws IOException {
        SplittableRandom random = new SplittableRandom(codec.suffix().hashCode());
        for (int length : new int[] {0, 1, 2, 255, 65_535, 65_536, 65_537, 1_048_576, 1_048_577, 2_500_000}) {
            byte[] text = new byte[length];
            int letters = 1 + random.nextInt(256);
            for (int i = 0; i < length; i++) {
                text[i] = random.nextInt(20) == 0 || i == 0 ? (byte) random.nextInt(letters) : text[i - 1];
            }
            byte[] file = encode(codec, text);
            assertArrayEquals(text, decode(codec, file, 1 << 16), codec + " of " + length);
        }
        byte[] noise = new byte[300_000];
        random.nextBytes(noise);
        assertArrayEquals(noise, decode(codec, encode(codec, noise), 1 << 16));
    }

    @ParameterizedTest
    @EnumSource
    void readsNothingFromNothing(FileCodec codec) throws IOException {
        assertEquals(0, decode(codec, new byte[0], 16).length);
    }

    @Test
    void acceptsZeroPaddingAfterGzip() throws IOException {
        byte[] padded = Arrays.copyOf(resource("sample.gz"), resource("sample.gz").length + 512);
        assertArrayEquals(sample(), decode(FileCodec.GZIP, padded, 4096));
    }

    @Test
    void knowsSuffixesAndNames() {
        assertEquals(FileCodec.GZIP, FileCodec.of("/a/b.txt.gz"));
        assertEquals(FileCodec.NONE, FileCodec.of("/a/b.gz.txt"));
        for (FileCodec codec : FileCodec.values()) {
            assertEquals(codec, FileCodec.named(codec.name()));
            assertEquals(
                    codec,
                    codec == FileCodec.NONE
                            ? codec
                            : FileCodec.named(codec.suffix().substring(1)));
        }
        HearthException unknown = assertThrows(HearthException.class, () -> FileCodec.named("rar"));
        assertEquals("BAD_ARGUMENT", unknown.code());
        assertTrue(
                unknown.getMessage().contains("[none, gzip, zstd, lz4, bzip2, deflate, snappy]"), unknown.getMessage());
    }

    @Test
    void hashesTheReferenceVectors() {
        assertEquals(0x02CC5D05, XxHash32.of(new byte[0], 0, 0));
        assertEquals(0x32D153FF, XxHash32.of("abc".getBytes(UTF_8), 0, 3));
        byte[] text = sample();
        XxHash32 pieces = new XxHash32();
        for (int at = 0; at < 5_000; at += 5) {
            pieces.update(text, at, 5);
        }
        assertEquals(XxHash32.of(text, 0, 5_000), pieces.value());
    }
}
