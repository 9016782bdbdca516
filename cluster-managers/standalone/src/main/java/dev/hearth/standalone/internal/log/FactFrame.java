package dev.hearth.standalone.internal.log;

import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Form of the files with facts: {@link #MAGIC}, then frames. A frame has the number of bytes of its facts, a checksum of
 * that number, a checksum of the facts, and the facts, each after its size. An empty frame ends a file.
 */
final class FactFrame {
    static final byte[] MAGIC = "hearth-facts-1\n".getBytes(StandardCharsets.US_ASCII);
    static final int HEADER = 3 * Integer.BYTES;

    private FactFrame() {}

    /** Contents of a file: where its whole frames end, how many facts they have, and what follows. */
    record Found(long wholeBytes, long facts, Tail tail) {}

    /** Bytes after the whole frames of a file. */
    enum Tail {
        NOTHING,
        /** An empty frame, so that there is a next segment. */
        END,
        /** An incomplete or damaged frame that is the last one. */
        TORN,
        /** Bytes that are no frame, with whole frames or other bytes after them. */
        DAMAGED
    }

    static ByteBuffer of(List<Bytes> facts) {
        int length =
                facts.stream().mapToInt(fact -> Integer.BYTES + fact.size()).sum();
        ByteBuffer frame = ByteBuffer.allocate(HEADER + length);
        frame.position(HEADER);
        facts.forEach(fact -> {
            frame.putInt(fact.size());
            fact.read(frame::put);
        });
        frame.putInt(0, length);
        frame.putInt(Integer.BYTES, checksum(frame.array(), 0, Integer.BYTES));
        frame.putInt(2 * Integer.BYTES, checksum(frame.array(), HEADER, length));
        return frame.flip();
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, from, length);
        return (int) sum.getValue();
    }

    /** Reads the frames of the segment {@code file}, which begins with the magic bytes. */
    static Found read(byte[] file, Consumer<Bytes> reader) {
        int at = MAGIC.length;
        long facts = 0;
        while (at < file.length) {
            int length = wholeLength(file, at);
            if (length < 0) {
                return new Found(at, facts, isLast(file, at) ? Tail.TORN : Tail.DAMAGED);
            }
            int next = at + HEADER + length;
            if (length == 0) {
                return new Found(at, facts, next == file.length ? Tail.END : Tail.DAMAGED);
            }
            facts += each(ByteBuffer.wrap(file, at + HEADER, length), reader);
            at = next;
        }
        return new Found(at, facts, Tail.NOTHING);
    }

    static boolean hasMagic(byte[] file) {
        return file.length >= MAGIC.length && Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Whether a file has only begun to be created: a part of the magic bytes, or zeros in their place. */
    static boolean isPartOfMagic(byte[] file) {
        return file.length < MAGIC.length
                && (Arrays.equals(file, 0, file.length, MAGIC, 0, file.length)
                        || Arrays.equals(file, new byte[file.length]));
    }

    private static long each(ByteBuffer facts, Consumer<Bytes> reader) {
        long count = 0;
        while (facts.hasRemaining()) {
            byte[] fact = new byte[facts.getInt()];
            facts.get(fact);
            reader.accept(Bytes.owning(fact));
            count++;
        }
        return count;
    }

    /** Length of the facts of the frame at {@code at}; -1 if there is no whole frame. */
    private static int wholeLength(byte[] file, int at) {
        int length = announced(file, at);
        boolean isWhole = length >= 0
                && length <= file.length - at - HEADER
                && checksum(file, at + HEADER, length) == ByteBuffer.wrap(file).getInt(at + 2 * Integer.BYTES);
        return isWhole ? length : -1;
    }

    /** Length in the header of a frame at {@code at}; -1 if the header is damaged or incomplete. */
    private static int announced(byte[] file, int at) {
        if (file.length - at < HEADER) {
            return -1;
        }
        ByteBuffer header = ByteBuffer.wrap(file);
        int length = header.getInt(at);
        return length >= 0 && header.getInt(at + Integer.BYTES) == checksum(file, at, Integer.BYTES) ? length : -1;
    }

    /**
     * Whether the frame at {@code at}, which is not whole, is the last one. It is not if its header is whole and bytes
     * follow it, or if there is a whole frame anywhere after it.
     */
    private static boolean isLast(byte[] file, int at) {
        int length = announced(file, at);
        if (length >= 0) {
            return length >= file.length - at - HEADER;
        }
        for (int later = at + 1; later <= file.length - HEADER; later++) {
            if (wholeLength(file, later) >= 0) {
                return false;
            }
        }
        return true;
    }

    /** Reads a file with an end from {@code in}, frame by frame; returns whether all of it is whole. */
    static boolean readWhole(InputStream in, Consumer<Bytes> reader) throws IOException {
        if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
            return false;
        }
        while (true) {
            byte[] header = in.readNBytes(HEADER);
            int length = announced(header, 0);
            byte[] facts = length < 0 ? new byte[0] : in.readNBytes(length);
            if (length < 0
                    || facts.length < length
                    || checksum(facts, 0, length) != ByteBuffer.wrap(header).getInt(2 * Integer.BYTES)) {
                return false;
            }
            if (length == 0) {
                return in.read() < 0;
            }
            each(ByteBuffer.wrap(facts), reader);
        }
    }

    /** Groups facts, so that frames have about {@code bytes} bytes each. */
    static void grouped(Iterable<Bytes> facts, int bytes, FrameWriter writer) throws IOException {
        List<Bytes> group = new ArrayList<>();
        long size = 0;
        for (Bytes fact : facts) {
            group.add(fact);
            size += fact.size();
            if (size >= bytes) {
                writer.write(of(group));
                group.clear();
                size = 0;
            }
        }
        if (!group.isEmpty()) {
            writer.write(of(group));
        }
        writer.write(of(List.of()));
    }

    /** Receiver of frames. */
    @FunctionalInterface
    interface FrameWriter {
        void write(ByteBuffer frame) throws IOException;
    }
}
