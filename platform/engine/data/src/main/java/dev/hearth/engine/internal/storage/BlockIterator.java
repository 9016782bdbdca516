package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.error.Failures;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the elements of a cached block, in order. Elements are deserialised lazily; their number is known
 * from the start. Owned by one thread; the block is neither evicted nor released until the iterator is closed or
 * exhausted.
 */
public final class BlockIterator implements Iterator<@Nullable Object>, AutoCloseable {
    private final BlockStore blocks;
    private final BlockId id;
    private final BlockContent content;
    private final RecordFormat.Reader reader;
    private final Runnable check;
    private final List<CachedBatch> batches;
    private final RecordInput in = new RecordInput();
    private CachedBatch.@Nullable Values values; // null if the current batch is serialised
    private @Nullable SegmentInput disk;
    private int nextBatch;
    private int nextValue;
    private long left;
    private boolean closed;
    private @Nullable RuntimeException failure; // set when a read failed, as the next record cannot be located then

    BlockIterator(BlockStore blocks, BlockId id, BlockContent content, RecordFormat.Reader reader, Runnable check) {
        this.blocks = blocks;
        this.id = id;
        this.content = content;
        this.reader = reader;
        this.check = check;
        this.batches = content.batches;
        this.left = content.records;
    }

    /** Number of elements that were returned or skipped so far. */
    public long taken() {
        return content.records - left;
    }

    /** Size in bytes of the block, in memory or on disk; 0 if no element was read yet. */
    public long bytes() {
        return taken() == 0 ? 0 : content.memoryBytes + content.diskBytes;
    }

    /** Skips all remaining elements without deserialising them; returns their number. */
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
        return nextOfBatch();
    }

    private @Nullable Object nextOfBatch() {
        CachedBatch.Values current = values;
        if (current == null || nextValue >= current.records()) {
            advance();
            current = values;
        }
        left--;
        return current == null ? read() : current.value(nextValue++);
    }

    @Override
    public void forEachRemaining(Consumer<? super @Nullable Object> action) {
        requireReadable();
        while (left > 0) {
            CachedBatch.Values current = values;
            if (in.hasMore()) {
                pushBytes(action);
            } else if (current != null && nextValue < current.records()) {
                pushValues(current, action);
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

    private void pushValues(CachedBatch.Values current, Consumer<? super @Nullable Object> action) {
        int records = current.records();
        while (nextValue < records) {
            check.run();
            left--;
            action.accept(current.value(nextValue++));
        }
    }

    private @Nullable Object read() {
        try {
            return reader.read(in);
        } catch (CorruptRecordException damage) {
            throw damaged(String.valueOf(damage.getMessage()), damage);
        } catch (RuntimeException refused) { // user code failed, so the next record cannot be located
            throw failed(refused);
        }
    }

    private RuntimeException failed(RuntimeException why) {
        failure = why;
        left = 0;
        close();
        return why;
    }

    /** Throws the failure of an earlier read again; does nothing if all reads succeeded. */
    public void requireReadable() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Moves to the next batch if the block is in memory, or to the next frame of the block's file if it is on disk. */
    private void advance() {
        PartitionedFile segment = content.file;
        if (segment != null) {
            readFrame(segment);
            return;
        }
        values = null;
        nextValue = 0;
        CachedBatch next = batches.get(nextBatch++);
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
                throw new CorruptFileException(
                        segment.file() + ": ends " + left + " elements too early (expected: all of its elements)");
            }
        } catch (CorruptFileException damage) {
            throw damaged(String.valueOf(damage.getMessage()), damage);
        }
    }

    private RuntimeException damaged(String what, Exception cause) {
        PartitionedFile segment = content.file;
        String file = segment == null || what.contains(segment.file()) ? "" : segment.file() + ": ";
        blocks.corrupt(id, content, what);
        return failed(new CorruptBlockException(
                Failures.expecting(id + ": " + file + what, "the bytes that were written")
                        + "; the block was dropped and will be recomputed",
                cause));
    }

    /**
     * Ends the reading of the block. The block may then be evicted, unless other iterators read it. Later calls do
     * nothing.
     */
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
