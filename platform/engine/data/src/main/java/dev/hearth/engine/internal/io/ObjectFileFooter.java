package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Table at the end of an object file: the class names of its records, the offset of each batch, and the end of the last
 * batch. Immutable.
 */
final class ObjectFileFooter {
    /** Upper bound on the size in bytes of the table of an object file. A file that states a larger size is corrupt. */
    private static final int TABLE_BYTES_MAX = 1 << 30;

    private final List<String> names;
    private final long[] offsets;
    private final long end;

    private ObjectFileFooter(List<String> names, long[] offsets, long end) {
        this.names = names;
        this.offsets = offsets;
        this.end = end;
    }

    List<String> names() {
        return names;
    }

    /**
     * The offsets of the batches that begin in the split {@code part}, followed by the end of the last of these
     * batches.
     */
    long[] offsets(FileSplit part) {
        long[] ends = Arrays.copyOf(offsets, offsets.length + 1);
        ends[ends.length - 1] = end;
        return Arrays.stream(ends, first(ends, part.from()), first(ends, part.until()) + 1)
                .toArray();
    }

    /**
     * The index of the first offset that is at least {@code from}. If there is none, the index of the last offset,
     * which is the end of all batches.
     */
    private static int first(long[] offsets, long from) {
        int found = Arrays.binarySearch(offsets, from);
        return Math.min(found < 0 ? -found - 1 : found, offsets.length - 1);
    }

    /**
     * Reads the table of {@code file}. Returns null if the file is missing or corrupt and {@code settings} ignore that;
     * otherwise such a file makes this method fail.
     */
    static @Nullable ObjectFileFooter read(InputFile file, InputAccess access) {
        long endAt = file.length() - ObjectFileFormat.END_BYTES;
        byte[] end = bytes(file, Math.max(0, endAt), ObjectFileFormat.END_BYTES, access);
        if (end == null) {
            return null;
        }
        RecordInput in = new RecordInput().on(end, 0, end.length);
        long offset = in.readLong();
        int length = in.readInt();
        int stated = in.readInt();
        if (in.readLong() != ObjectFileFormat.END
                || length < 0
                || length > TABLE_BYTES_MAX
                || offset != endAt - length
                || offset < ObjectFileFormat.BEGIN_BYTES) {
            return damaged(file, "no trailer of an object file at its end", access);
        }
        byte[] table = bytes(file, offset, length, access);
        if (table == null) {
            return null;
        }
        CRC32C check = new CRC32C();
        check.update(table, 0, length);
        if ((int) check.getValue() != stated) {
            return damaged(file, "the checksum of its table does not match", access);
        }
        try {
            return parse(in.on(table, 0, length), offset);
        } catch (CorruptRecordException damage) {
            return damaged(file, String.valueOf(damage.getMessage()), access);
        }
    }

    private static ObjectFileFooter parse(RecordInput in, long end) {
        int classes = in.readSize();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            int length = in.readSize();
            in.expect(length);
            names.add(new String(in.array(), in.position(), length, UTF_8));
            in.moveTo(in.position() + length);
        }
        int batches = in.readInt();
        if (batches < 0 || batches > (in.limit() - in.position()) / Long.BYTES) {
            throw new CorruptRecordException("a table of " + batches + " batches, but without space for that many");
        }
        long[] offsets = new long[batches];
        for (int i = 0; i < batches; i++) {
            offsets[i] = in.readLong();
            if (offsets[i] < (i == 0 ? ObjectFileFormat.BEGIN_BYTES : offsets[i - 1] + 1) || offsets[i] >= end) {
                throw new CorruptRecordException("a batch that begins at byte " + offsets[i] + ", outside of the"
                        + " data or before the previous batch");
            }
        }
        return new ObjectFileFooter(List.copyOf(names), offsets, end);
    }

    private static byte @Nullable [] bytes(InputFile file, long from, int length, InputAccess access) {
        FileSplit part = new FileSplit(file.path(), from, from + length);
        try (SplitInput in = new SplitInput(part, from, FileCodec.NONE, ObjectFileFormat.CONTENT, access)) {
            byte[] bytes = new byte[length];
            int filled = 0;
            while (filled < length) {
                int read = in.read(bytes, filled, length - filled);
                if (read < 0) {
                    return null;
                }
                filled += read;
            }
            return bytes;
        }
    }

    private static @Nullable ObjectFileFooter damaged(InputFile file, String what, InputAccess access) {
        try (SplitInput in =
                new SplitInput(file.whole(), file.length(), FileCodec.NONE, ObjectFileFormat.CONTENT, access)) {
            in.damaged(new IOException(what));
            return null;
        }
    }
}
