package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a kept block, in their order. Their number is known, and they are made as they are asked for. Owned by one
 * thread; the block stays where it is until this is closed, or all were taken.
 */
public final class BlockIterator implements Iterator<@Nullable Object>, AutoCloseable {
    private final BlockStore blocks;
    private final BlockId id;
    private final BlockContent content;
    private final RecordFormat.Reader reader;
    private final Runnable check;
    private final List<CachedBatch> chunks;
    private final RecordInput in = new RecordInput();
    private CachedBatch.@Nullable Values values; // of the chunk under way, where that is not bytes
    private @Nullable SegmentInput disk;
    private int nextChunk;
    private int nextValue;
    private long left;
    private boolean closed;
    private @Nullable RuntimeException failure; // what could not be read is behind it

    BlockIterator(BlockStore blocks, BlockId id, BlockContent content, RecordFormat.Reader reader, Runnable check) {
        this.blocks = blocks;
        this.id = id;
        this.content = content;
        this.reader = reader;
        this.check = check;
        this.chunks = content.chunks;
        this.left = content.records;
    }

    /** How many were taken. */
    public long taken() {
        return content.records - left;
    }

    /** What the block takes, in memory or on disk; 0 when none of it was taken. */
    public long bytes() {
        return taken() == 0 ? 0 : content.memoryBytes + content.diskBytes;
    }

    /** Passes over all that are left, without making them; returns how many those were. */
    public long skipAll() {
        requireReadable();
        long skipped = left;
        left = 0;
        close();
        return skipped;
    }

    @Override
    public boolean hasNext() {
        if (left > 0) {
            return true;
        }
        requireReadable();
        close();
        return false;
    }

    @Override
    public @Nullable Object next() {
        if (left <= 0) {
            requireReadable();
            throw new NoSuchElementException(id + ": no more elements");
        }
        check.run();
        if (in.hasMore()) {
            left--;
            return read();
        }
        return nextOfChunk();
    }

    private @Nullable Object nextOfChunk() {
        CachedBatch.Values under = values;
        if (under == null || nextValue >= under.records()) {
            advance();
            under = values;
        }
        left--;
        return under == null ? read() : under.value(nextValue++);
    }

    @Override
    public void forEachRemaining(Consumer<? super @Nullable Object> action) {
        requireReadable();
        while (left > 0) {
            CachedBatch.Values under = values;
            if (in.hasMore()) {
                pushBytes(action);
            } else if (under != null && nextValue < under.records()) {
                pushValues(under, action);
            } else {
                advance();
            }
        }
        close();
    }

    private void pushBytes(Consumer<? super @Nullable Object> action) {
        while (in.hasMore()) {
            check.run();
            Object element = read();
            left--;
            action.accept(element);
        }
    }

    private void pushValues(CachedBatch.Values under, Consumer<? super @Nullable Object> action) {
        int records = under.records();
        while (nextValue < records) {
            check.run();
            left--;
            action.accept(under.value(nextValue++));
        }
    }

    private @Nullable Object read() {
        try {
            return reader.read(in);
        } catch (CorruptRecordException damage) {
            throw damaged(String.valueOf(damage.getMessage()), damage);
        } catch (RuntimeException refused) { // the user's code threw; where the next one begins nobody knows
            throw failed(refused);
        }
    }

    private RuntimeException failed(RuntimeException why) {
        failure = why;
        left = 0;
        close();
        return why;
    }

    /** Throws again what whoever asked for elements may have passed over. */
    public void requireReadable() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Goes on to the next chunk, or frame of the file, which has elements. */
    private void advance() {
        PartitionedFile segment = content.segment;
        if (segment != null) {
            readFrame(segment);
            return;
        }
        values = null;
        nextValue = 0;
        CachedBatch next = chunks.get(nextChunk++);
        if (next instanceof CachedBatch.Page page) {
            in.on(page.bytes(), 0, page.bytes().length);
        } else if (next instanceof CachedBatch.Values some) {
            values = some;
        }
    }

    private void readFrame(PartitionedFile segment) {
        try {
            SegmentInput open = disk;
            if (open == null) {
                open = segment.open(0);
                disk = open;
            }
            if (!open.next(in)) {
                throw new CorruptFileException(segment.file() + ": ends " + left + " elements too early");
            }
        } catch (CorruptFileException damage) {
            throw damaged(String.valueOf(damage.getMessage()), damage);
        }
    }

    private RuntimeException damaged(String what, Exception cause) {
        PartitionedFile segment = content.segment;
        String file = segment == null || what.contains(segment.file()) ? "" : segment.file() + ": ";
        blocks.damaged(id, content, what);
        return failed(new CorruptBlockException(
                id + ": " + file + what + " (expected: as it was written); it was dropped and is computed anew",
                cause));
    }

    /** Lets the block go on. Later calls do nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        SegmentInput open = disk;
        if (open != null) {
            open.close();
        }
        blocks.endReading(content);
    }
}
