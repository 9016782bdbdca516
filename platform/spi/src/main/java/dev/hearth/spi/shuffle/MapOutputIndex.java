package dev.hearth.spi.shuffle;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Content of the index file of one map output: the file with its segments, and the place and the record count of each
 * segment. A process that has the index can serve the output without its writer. {@code file} is empty if the output
 * has no records; {@code fileBytes} is the whole length of the file. {@code run} is the number of the run of a barrier
 * stage, else 0. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays never change, so sharing them is safe
public record MapOutputIndex(
        Optional<String> file, long fileId, long fileBytes, int run, long[] offsets, int[] records) {
    /** Magic number at the start of an index file: the text "hrthidx1". */
    private static final long MAGIC = 0x6872_7468_6964_7831L;

    private static final int REDUCERS_MAX = 1 << 26;
    private static final int CHECKSUM_BYTES = Integer.BYTES;
    private static final int LOW_BITS = 7;
    private static final int MORE = 1 << LOW_BITS;

    public int reducers() {
        return records.length;
    }

    /** Size in bytes of this index in memory. */
    public long heldBytes() {
        return (long) Long.BYTES * offsets.length + (long) Integer.BYTES * records.length;
    }

    /** Returns the segment of {@code reducer}; empty if it has no bytes. */
    public Optional<FileSegment> segment(int reducer) {
        long bytes = offsets[reducer + 1] - offsets[reducer];
        return bytes == 0
                ? Optional.empty()
                : file.map(path -> new FileSegment(path, fileId, reducer, offsets[reducer], bytes));
    }

    /** The content of the index file. It ends with a checksum over all bytes before. */
    public byte[] encoded() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(MAGIC);
            out.writeLong(fileId);
            out.writeLong(fileBytes);
            out.writeInt(run);
            out.writeUTF(file.orElse(""));
            out.writeInt(records.length);
            for (int reducer = 0; reducer < records.length; reducer++) {
                write(out, offsets[reducer + 1] - offsets[reducer]);
                write(out, records[reducer]);
            }
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException impossible) { // an array takes all bytes
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** Reads the content of an index file. Fails if it is not whole. */
    public static MapOutputIndex decode(byte[] bytes) throws IOException {
        int end = bytes.length - CHECKSUM_BYTES;
        if (end < Long.BYTES) {
            throw new IOException("cut short to " + bytes.length + " bytes (expected: a whole index)");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readLong() != MAGIC || checksum(bytes, end) != last(bytes, end)) {
                throw new IOException("checksum does not match (expected: an index as it was written)");
            }
            long fileId = in.readLong();
            long fileBytes = in.readLong();
            int run = in.readInt();
            String file = in.readUTF();
            int reducers = in.readInt();
            if (reducers < 0 || reducers > REDUCERS_MAX) {
                throw new IOException(reducers + " reducers (expected: 0 to " + REDUCERS_MAX + ")");
            }
            long[] offsets = new long[reducers + 1];
            int[] records = new int[reducers];
            for (int reducer = 0; reducer < reducers; reducer++) {
                offsets[reducer + 1] = offsets[reducer] + read(in);
                records[reducer] = Math.toIntExact(read(in));
            }
            return new MapOutputIndex(
                    Optional.of(file).filter(path -> !path.isEmpty()), fileId, fileBytes, run, offsets, records);
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    private static int last(byte[] bytes, int end) throws IOException {
        return new DataInputStream(new ByteArrayInputStream(bytes, end, CHECKSUM_BYTES)).readInt();
    }

    private static void write(DataOutputStream out, long number) throws IOException {
        long left = number;
        while (left >= MORE) {
            out.writeByte((int) (left & (MORE - 1)) | MORE);
            left >>>= LOW_BITS;
        }
        out.writeByte((int) left);
    }

    private static long read(DataInputStream in) throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += LOW_BITS) {
            int next = in.readUnsignedByte();
            number |= (long) (next & (MORE - 1)) << shift;
            if (next < MORE) {
                return number;
            }
        }
        throw new IOException("a number of more than 9 bytes (expected: at most 9)");
    }
}
