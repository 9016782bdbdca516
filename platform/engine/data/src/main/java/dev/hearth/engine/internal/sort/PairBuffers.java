package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Storage of the pairs that a sort holds in memory. Pairs arrive in sources: a source is a page of serialised pairs, or
 * two columns of keys and values. A row is a long that identifies a pair. It packs the number of the source, the offset
 * of the pair in the source, and the serialised length. Owned by one sort.
 */
final class PairBuffers {
    /** Upper bound on the number of sources, because a row has 15 bits for the number of its source. */
    static final int SOURCES_MAX = 1 << 15;

    private static final int OFFSET_SHIFT = 16;
    private static final int SOURCE_SHIFT = 47;
    private static final int OFFSET_MASK = Integer.MAX_VALUE;
    private static final int LENGTH_UNKNOWN = 0xFFFF; // the length is unknown, or too large for 16 bits
    private static final int CACHE_LINE_BYTES = 64; // one cache line

    private final Supplier<RecordFormat> records;
    private final RecordFormat.Reader reader;
    private RecordFormat.@Nullable Writer writer; // created lazily
    private final RecordInput in = new RecordInput();
    private Source[] sources = new Source[16];
    private int size;
    private int prefetched;

    /**
     * Source of pairs in {@link PairBuffers}: either a page of which {@code limit} bytes are filled, or a column of
     * keys and a column of values.
     */
    @SuppressWarnings("ArrayRecordComponent") // never modified
    private record Source(
            byte @Nullable [] page,
            int limit,
            RecordFormat.@Nullable Reader reader,
            @Nullable Column keys,
            @Nullable Column values) {}

    PairBuffers(Supplier<RecordFormat> records) {
        this.records = records;
        this.reader = new LazyRecordReader(records);
    }

    boolean isFull() {
        return size == SOURCES_MAX;
    }

    void add(byte[] page, int limit, RecordFormat.Reader decoder) {
        add(new Source(page, limit, decoder, null, null));
    }

    void add(Column keys, Column values) {
        add(new Source(null, 0, null, keys, values));
    }

    private void add(Source source) {
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, 2 * size);
        }
        sources[size++] = source;
    }

    /**
     * Removes all sources. If {@code keepLast}, the source that was added last stays, because it is still being read.
     */
    void clear(boolean keepLast) {
        Source last = size == 0 ? null : sources[size - 1];
        Arrays.fill(sources, 0, size, null);
        size = 0;
        if (keepLast && last != null) {
            sources[size++] = last;
        }
    }

    /**
     * Returns the row of a pair in the source that was added last: the number that identifies the pair in this storage.
     * {@code offset} is the pair's place in the source, {@code length} its serialised length.
     */
    long row(int offset, int length) {
        return (long) (size - 1) << SOURCE_SHIFT | (long) offset << OFFSET_SHIFT | Math.min(length, LENGTH_UNKNOWN);
    }

    private Source source(long row) {
        return sources[(int) (row >>> SOURCE_SHIFT)];
    }

    private static int offset(long row) {
        return (int) (row >>> OFFSET_SHIFT) & OFFSET_MASK;
    }

    /**
     * Returns the value of the pair that {@code row} identifies. {@code afterKey} says, of a serialised pair, that
     * {@code row} has the offset of its key, which the value follows.
     */
    @Nullable
    Object value(long row, boolean afterKey) {
        Source source = source(row);
        if (source.page == null) {
            return source.values.value(offset(row));
        }
        in.on(source.page, offset(row), source.limit);
        if (afterKey) {
            source.reader.skip(in);
        }
        return source.reader.read(in);
    }

    /**
     * Returns the key of the pair that {@code row} identifies. If the pair is serialised, {@code row} must have been
     * created with the offset of its key.
     */
    @Nullable
    Object key(long row) {
        Source source = source(row);
        if (source.page == null) {
            return source.keys.value(offset(row));
        }
        return source.reader.read(in.on(source.page, offset(row), source.limit));
    }

    /**
     * Returns the key of the pair that {@code row} identifies, if the key is not serialised. Otherwise positions {@code
     * into} at the serialised key and returns null.
     */
    @Nullable
    Object keyOrBytes(long row, RecordInput into) {
        Source source = source(row);
        if (source.page == null) {
            return source.keys.value(offset(row));
        }
        into.on(source.page, offset(row), source.limit);
        return null;
    }

    /**
     * Writes the value of the pair that {@code row} identifies to {@code out} in serialised form, preceded by its key
     * if {@code withKey}.
     */
    void write(long row, boolean withKey, RecordOutput out) {
        Source source = source(row);
        int offset = offset(row);
        if (source.page == null) {
            if (withKey) {
                writer().write(source.keys.value(offset), out);
            }
            writer().write(source.values.value(offset), out);
        } else if (source.reader != LazyRecordReader.unwrapped(reader)) { // other readers may use other class numbers
            in.on(source.page, offset, source.limit);
            if (withKey) {
                writer().write(source.reader.read(in), out);
            }
            writer().write(source.reader.read(in), out);
        } else {
            out.write(source.page, offset, length(row, source, withKey));
        }
    }

    private int length(long row, Source source, boolean withKey) {
        int length = (int) row & LENGTH_UNKNOWN;
        if (length == LENGTH_UNKNOWN) {
            in.on(source.page, offset(row), source.limit);
            reader.skip(in);
            if (withKey) {
                reader.skip(in);
            }
            length = in.position() - offset(row);
        }
        return length;
    }

    RecordFormat.Writer writer() {
        RecordFormat.Writer known = writer;
        if (known == null) {
            known = records.get().writer();
            writer = known;
        }
        return known;
    }

    RecordFormat.Reader reader() {
        return reader;
    }

    /**
     * Loads the pairs that {@code rows} identify, from index {@code from} to before {@code until}, into the CPU cache,
     * so that the cache misses of these pairs overlap.
     */
    void prefetch(long[] rows, int from, int until) {
        int sum = 0;
        for (int i = from; i < until; i++) {
            Source source = source(rows[i]);
            if (source.page != null) {
                int offset = offset(rows[i]);
                sum += source.page[offset] + source.page[Math.min(offset + CACHE_LINE_BYTES, source.limit - 1)];
            }
        }
        prefetched = sum; // the sum is used so that the compiler keeps the reads
    }

    @Override
    public String toString() {
        return size + " sources, prefetched " + prefetched;
    }
}
