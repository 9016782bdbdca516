package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of a map task for one reducer. Pairs fill columns, or pages if they must be serialised. The first columns
 * and the first page are small, because there may be thousands of reducers with little data each. Owned by its
 * {@link ShuffleWriter}, which reserves the memory beforehand.
 */
final class PartitionBuffer {
    private static final int PAIRS_MIN = 16;
    private static final int PAIRS_MAX = 16 * 1024;
    private static final int PAGE_BYTES_MIN = 256;
    private static final int PAGE_BYTES_MAX = 128 * 1024;
    /** Divisor of an array's length: a finished array is trimmed by a copy only if more than 1/8 of it is unused. */
    private static final int EMPTY_PART = 8;

    /** Bytes of memory of all objects that two columns, of keys and of values, need in addition to their arrays. */
    private static final int ARRAYS_BYTES = 192;

    private static final int PAGE_OVERHEAD_BYTES = 96;

    private final List<PairBatch> pieces = new ArrayList<>(2);
    private @Nullable ColumnBuffer keys;
    private @Nullable ColumnBuffer values;
    private int used;
    private int room;
    private int pairs; // in finished columns
    private @Nullable RecordOutput page;
    private int pageBytes = PAGE_BYTES_MIN;
    private int largest; // size of the largest record so far

    /**
     * Adds a pair to the columns without serialising it. Returns false if the columns are full, and the caller must
     * call {@link #open} first.
     */
    boolean put(@Nullable Object key, @Nullable Object value) {
        int at = used;
        if (at == room || keys == null || values == null) {
            return false;
        }
        keys.put(at, key);
        values.put(at, value);
        used = at + 1;
        return true;
    }

    /** As {@link #put(Object, Object)}, for the pair at {@code index} of two columns. */
    boolean put(Column someKeys, Column someValues, int index) {
        int at = used;
        if (at == room || keys == null || values == null) {
            return false;
        }
        keys.put(at, someKeys, index);
        values.put(at, someValues, index);
        used = at + 1;
        return true;
    }

    /**
     * Returns the bytes of memory that {@link #open} needs for the next columns, if their first pair is {@code key} and
     * {@code value}.
     */
    long arraysBytes(@Nullable Object key, @Nullable Object value) {
        long width = (long) ColumnBuffer.width(nextKind(keys, key)) + ColumnBuffer.width(nextKind(values, value));
        return ARRAYS_BYTES + nextRoom() * width;
    }

    /**
     * Finishes the current columns and creates the next ones. Their types suit the given pair, which the caller adds
     * next by {@link #put(Object, Object)}.
     */
    void open(@Nullable Object key, @Nullable Object value) {
        int next = nextRoom();
        int keyKind = nextKind(keys, key);
        int valueKind = nextKind(values, value);
        closeArrays(false);
        keys = new ColumnBuffer(keyKind, next);
        values = new ColumnBuffer(valueKind, next);
        room = next;
    }

    private int nextRoom() {
        return Math.max(PAIRS_MIN, Math.min(PAIRS_MAX, (pairs + used) / 2));
    }

    private static int nextKind(@Nullable ColumnBuffer before, @Nullable Object first) {
        return before == null || before.kind() == ColumnBuffer.kind(first)
                ? ColumnBuffer.kind(first)
                : ColumnBuffer.OBJECTS;
    }

    private void closeArrays(boolean last) {
        ColumnBuffer someKeys = keys;
        ColumnBuffer someValues = values;
        if (used > 0 && someKeys != null && someValues != null) {
            boolean cut = last && room - used > room / EMPTY_PART;
            pieces.add(new PairBatch.Columns(
                    cut ? someKeys.cut(used) : someKeys.column(used),
                    cut ? someValues.cut(used) : someValues.column(used)));
            pairs += used;
        }
        used = 0;
        room = 0;
    }

    /**
     * Returns the bytes of memory that {@link #write} needs for a new page; 0 if it can append the next pair to a page.
     */
    int pageBytes() {
        return page == null ? PAGE_OVERHEAD_BYTES + pageBytes : 0;
    }

    /** Whether the current page already holds pairs, so that the next pair would share the page with them. */
    boolean isShared() {
        return page != null && page.position() > 0;
    }

    /**
     * Serialises a pair into the current page. Returns by how many bytes the page's array grew. {@code growth} reserves
     * memory before the array grows to a large size.
     */
    int write(@Nullable Object key, @Nullable Object value, RecordFormat.Writer writer, RecordOutput.Growth growth) {
        RecordOutput out = page;
        if (out == null) {
            closeArrays(true);
            out = writer.output(pageBytes);
            out.ask(growth);
            page = out;
        }
        int before = out.array().length;
        int start = out.position();
        boolean whole = false;
        try {
            writer.write(key, out);
            writer.write(value, out);
            whole = true;
        } finally {
            if (!whole) {
                out.moveTo(start); // removes a key that was written without its value
            }
        }
        int position = out.position();
        largest = Math.max(largest, position - start);
        int grown = out.array().length - before;
        if ((long) position + largest > PAGE_BYTES_MAX) {
            closePage(false);
        }
        return grown;
    }

    private void closePage(boolean last) {
        RecordOutput out = page;
        if (out != null) {
            int length = out.position();
            byte[] array = out.array();
            boolean empty = array.length - length > array.length / EMPTY_PART;
            // trimming a large page would cost time and memory
            boolean small = last && array.length <= RecordOutput.QUIET_BYTES;
            boolean cut = empty && (small || length < PAGE_BYTES_MAX / 2);
            pieces.add(new PairBatch.Page(cut ? Arrays.copyOf(array, length) : array, length));
            pageBytes = PAGE_BYTES_MAX;
            page = null;
        }
    }

    /**
     * Returns the size in bytes of the batches {@code pieces} of all reducers, without the objects to which the batches
     * refer.
     */
    static long bytes(@Nullable List<PairBatch>[] pieces) {
        long bytes = 0;
        for (int reducer = 0; reducer < pieces.length; reducer++) {
            List<PairBatch> some = pieces[reducer];
            for (int i = 0; some != null && i < some.size(); i++) {
                PairBatch piece = some.get(i);
                bytes += piece.bytes() + (piece instanceof PairBatch.Page ? PAGE_OVERHEAD_BYTES : ARRAYS_BYTES);
            }
        }
        return bytes;
    }

    /** Ends the buffer, and returns all its batches in the order in which the pairs were added. */
    List<PairBatch> finish() {
        closeArrays(true);
        closePage(true);
        return pieces;
    }
}
