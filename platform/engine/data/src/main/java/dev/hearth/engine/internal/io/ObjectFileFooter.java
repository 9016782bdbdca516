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

/** What the end of a file of objects tells: its classes, and where its batches begin and the last one ends. Immutable. */
final class ObjectFileFooter {
    /** How many bytes of table are believed. */
    private static final int TABLE_BYTES_MAX = 1 << 30;

    private final List<String> names;
    private final long[] places;
    private final long end;

    private ObjectFileFooter(List<String> names, long[] places, long end) {
        this.names = names;
        this.places = places;
        this.end = end;
    }

    List<String> names() {
        return names;
    }

    /** Where the batches that begin in {@code part} stand, and where the last of them ends. */
    long[] places(FileSplit part) {
        long[] ends = Arrays.copyOf(places, places.length + 1);
        ends[ends.length - 1] = end;
        return Arrays.stream(ends, first(ends, part.from()), first(ends, part.until()) + 1)
                .toArray();
    }

    /** The index of the first place at or behind {@code from}; of the end when there is none. */
    private static int first(long[] places, long from) {
        int found = Arrays.binarySearch(places, from);
        return Math.min(found < 0 ? -found - 1 : found, places.length - 1);
    }

    /** Reads the table; null where the file cannot be read and that is ignored. */
    static @Nullable ObjectFileFooter read(InputFile file, FileSettings settings) {
        long endAt = file.length() - ObjectFileFormat.END_BYTES;
        byte[] end = bytes(file, Math.max(0, endAt), ObjectFileFormat.END_BYTES, settings);
        if (end == null) {
            return null;
        }
        RecordInput in = new RecordInput().on(end, 0, end.length);
        long place = in.readLong();
        int length = in.readInt();
        int stated = in.readInt();
        if (in.readLong() != ObjectFileFormat.END
                || length < 0
                || length > TABLE_BYTES_MAX
                || place != endAt - length
                || place < ObjectFileFormat.BEGIN_BYTES) {
            return damaged(file, "it has no end, or another one than files of objects have", settings);
        }
        byte[] table = bytes(file, place, length, settings);
        if (table == null) {
            return null;
        }
        CRC32C check = new CRC32C();
        check.update(table, 0, length);
        if ((int) check.getValue() != stated) {
            return damaged(file, "the checksum of its table does not fit", settings);
        }
        try {
            return parse(in.on(table, 0, length), place);
        } catch (CorruptRecordException damage) {
            return damaged(file, String.valueOf(damage.getMessage()), settings);
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
            throw new CorruptRecordException("a table of " + batches + " batches that are not there");
        }
        long[] places = new long[batches];
        for (int i = 0; i < batches; i++) {
            places[i] = in.readLong();
            if (places[i] < (i == 0 ? ObjectFileFormat.BEGIN_BYTES : places[i - 1] + 1) || places[i] >= end) {
                throw new CorruptRecordException("a batch that begins at byte " + places[i]);
            }
        }
        return new ObjectFileFooter(List.copyOf(names), places, end);
    }

    private static byte @Nullable [] bytes(InputFile file, long from, int length, FileSettings settings) {
        FileSplit part = new FileSplit(file.path(), from, from + length);
        try (SplitInput in = new SplitInput(part, from, FileCodec.NONE, ObjectFileFormat.CONTENT, settings)) {
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

    private static @Nullable ObjectFileFooter damaged(InputFile file, String what, FileSettings settings) {
        try (SplitInput in =
                new SplitInput(file.whole(), file.length(), FileCodec.NONE, ObjectFileFormat.CONTENT, settings)) {
            in.damaged(new IOException(what));
            return null;
        }
    }
}
