package dev.hearth.engine.internal.storage;

import dev.hearth.api.HearthException;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of a block: caches the elements of a partition while the task passes them to their consumer. Owned by the
 * task's thread, which ends it by {@link #publish} or {@link #discard}. Memory is reserved before it is allocated,
 * except one page on its way to disk and the excess of a record larger than a page. If memory is refused, the block
 * continues on disk if its storage level allows that. Otherwise caching is abandoned and further elements are ignored.
 */
public final class BlockWriter {
    private static final Logger LOG = LoggerFactory.getLogger(BlockWriter.class);

    /** Approximate number of bytes of memory that a block takes in addition to its elements. */
    static final long OVERHEAD_BYTES = 256;

    private static final int BUFFER_FIRST_BYTES = 1024;
    private static final int BUFFER_KEPT_PAGES = 4; // a buffer that grew beyond so many pages is replaced

    // 1/8 of a page stays free, so that the last record of a page usually fits without doubling the buffer
    private static final int BUFFER_LEFT_PART = 8;
    // reservations are up to 1/8 larger than needed, but at most by one page, so that fewer of them are made
    private static final int AHEAD_PART = 8;

    /** State of a {@link BlockWriter}, which decides how the writer stores the next element. */
    private enum State {
        /** Elements are stored as objects, as long as they are immutable. */
        VALUES,
        /** Elements are serialised and stored in memory. */
        BYTES,
        /** Elements are serialised and written to disk. */
        DISK,
        ABANDONED,
        FINISHED
    }

    private final BlockStore blocks;
    private final BlockId id;
    private final StorageLevel level;
    private final RecordFormat.Writer writer;
    private final CachedBatchBuilder values;
    private final int pageBytes;
    private final List<CachedBatch> batches = new ArrayList<>();
    private State state;
    private RecordOutput page;
    private int pageRecords;
    private long pagesBytes; // bytes of finished pages
    private long records;
    private long booked;
    private @Nullable BlockFileWriter file;
    private @Nullable BlockContent content; // set when finished

    /**
     * Creates a writer that caches a block at storage level {@code level}. If {@code asBytes}, the writer serialises
     * all elements, even if the level asks for objects.
     */
    BlockWriter(
            BlockStore blocks,
            BlockId id,
            StorageLevel level,
            CachedBatchBuilder values,
            int pageBytes,
            boolean asBytes) {
        this.blocks = blocks;
        this.id = id;
        this.level = level;
        this.writer = blocks.writer();
        this.page = writer.output(BUFFER_FIRST_BYTES);
        this.values = values;
        this.pageBytes = pageBytes;
        State inMemory = level.asObjects() && !asBytes ? State.VALUES : State.BYTES;
        this.state = level.usesMemory() ? inMemory : State.DISK;
        if (state != State.DISK && !ensure(OVERHEAD_BYTES)) {
            memoryRefused();
        }
    }

    BlockId id() {
        return id;
    }

    StorageLevel level() {
        return level;
    }

    BlockContent content() {
        BlockContent finished = content;
        if (finished == null) {
            throw new IllegalStateException(
                    id + ": its content was requested before it was finished (expected: after)");
        }
        return finished;
    }

    /** Whether the block was finished and has all elements, because caching was not abandoned. */
    public boolean isWhole() {
        return content != null;
    }

    /** Whether further elements are ignored, because the block was finished or caching was abandoned. */
    public boolean isClosed() {
        return state == State.ABANDONED || state == State.FINISHED;
    }

    /**
     * Caches an element. Later changes of the element have no effect on the cached one. Fails with {@code
     * NOT_SERIALIZABLE} if it cannot be serialised.
     */
    public void add(@Nullable Object element) {
        switch (state) {
            case VALUES -> addValue(element);
            case BYTES, DISK -> write(element);
            case ABANDONED, FINISHED -> {} // not cached
        }
    }

    private void addValue(@Nullable Object element) {
        if (!values.takes(element)) {
            values.finish(batches);
            state = State.BYTES; // serialises all further elements: checking each one costs more than copying
        } else if (values.add(element, batches, this::isBooked)) {
            records++;
            return;
        } else {
            values.finish(batches);
            memoryRefused();
        }
        add(element);
    }

    /**
     * Adds a page of {@code pageOf} whole serialised records to the block. The caller must not change {@code bytes}
     * afterwards.
     */
    public void addPage(byte[] bytes, int pageOf) {
        CachedBatch.Page whole = new CachedBatch.Page(bytes, pageOf);
        if (state == State.BYTES) {
            if (ensure(memoryBytes() + bytes.length + pageBytes)) {
                batches.add(whole);
                pagesBytes += bytes.length;
            } else {
                memoryRefused();
            }
        }
        if (state == State.DISK) {
            writeToDisk(whole);
        }
        records += pageOf;
    }

    private void writeToDisk(CachedBatch.Page whole) {
        BlockFileWriter blockFile = file;
        onDisk(() -> (blockFile == null ? open() : blockFile).write(whole));
    }

    /** Returns the number of elements added so far. */
    public long records() {
        return records;
    }

    /**
     * Finishes the block. The file {@code segment}, with {@code recordCount} records, becomes its whole content. This
     * writer owns the file from now on.
     */
    public void finishWith(PartitionedFile segment, long recordCount) {
        free();
        records = recordCount;
        content = BlockContent.onDisk(records, segment);
        state = State.FINISHED;
    }

    private boolean isBooked(long valuesBytes) {
        return ensure(OVERHEAD_BYTES + valuesBytes + pagesBytes);
    }

    private void write(@Nullable Object element) {
        try {
            writer.write(element, page);
        } catch (HearthException refused) {
            if (pageRecords == 0 || !refused.code().equals(ErrorCode.BAD_ARGUMENT.name())) {
                throw refused;
            }
            cutPage(); // the element may need a page of its own
            writer.write(element, page);
        }
        records++;
        pageRecords++;
        if (page.position() >= pageBytes - pageBytes / BUFFER_LEFT_PART) {
            cutPage();
        }
    }

    private void cutPage() {
        int length = page.position();
        if (length == 0) {
            return;
        }
        if (state == State.BYTES) {
            if (ensure(memoryBytes() + length + pageBytes)) { // the next page needs memory as well
                batches.add(new CachedBatch.Page(Arrays.copyOf(page.array(), length), pageRecords));
                pagesBytes += length;
            } else {
                memoryRefused();
            }
        }
        BlockFileWriter blockFile = file;
        if (state == State.DISK) {
            onDisk(() -> (blockFile == null ? open() : blockFile).write(page));
        }
        if (page.array().length > (long) BUFFER_KEPT_PAGES * pageBytes) {
            page = writer.output(pageBytes);
        }
        page.moveTo(0);
        pageRecords = 0;
    }

    private long memoryBytes() {
        return OVERHEAD_BYTES + values.bytes() + pagesBytes;
    }

    private boolean ensure(long needed) {
        if (needed <= booked) {
            return true;
        }
        long ahead = Math.min(pageBytes, needed / AHEAD_PART);
        if (book(needed + ahead - booked)) {
            return true;
        }
        return book(needed - booked);
    }

    private boolean book(long more) {
        if (!blocks.book(id.dataset(), more)) {
            return false;
        }
        booked += more;
        return true;
    }

    private void memoryRefused() {
        if (!level.usesDisk()) {
            LOG.debug("{}: not cached, because memory is full", id);
            abandon();
            return;
        }
        state = State.DISK;
        onDisk(() -> {
            BlockFileWriter blockFile = open();
            batches.forEach(blockFile::write);
        });
        batches.clear();
        free();
    }

    private BlockFileWriter open() {
        BlockFileWriter opened = new BlockFileWriter(blocks.files(), id, writer, pageBytes);
        file = opened;
        return opened;
    }

    /**
     * Runs a step that writes to disk. If the disk fails, caching is abandoned, and the partition is recomputed when
     * it is needed again.
     */
    private void onDisk(Runnable step) {
        try {
            step.run();
        } catch (HearthException failure) {
            if (!failure.code().equals(ErrorCode.DISK_FAILED.name())) {
                throw failure;
            }
            LOG.warn("{}: not cached, because it cannot be written to disk: {}", id, failure.getMessage());
            abandon();
        }
    }

    /** Finishes the block after its last element was added. If caching was abandoned, does nothing. */
    public void finish() {
        if (isClosed()) {
            return;
        }
        if (state == State.VALUES) {
            values.finish(batches);
        }
        cutPage();
        if ((state == State.VALUES || state == State.BYTES) && !ensure(memoryBytes())) {
            memoryRefused();
        }
        if (state == State.DISK) {
            onDisk(() -> {
                BlockFileWriter blockFile = file;
                content = BlockContent.onDisk(records, (blockFile == null ? open() : blockFile).finish());
            });
        } else if (state != State.ABANDONED) {
            long bytes = memoryBytes();
            blocks.drop(booked - bytes);
            booked = bytes;
            content = BlockContent.inMemory(records, batches, bytes);
        }
        if (state != State.ABANDONED) {
            state = State.FINISHED;
        }
    }

    /**
     * Abandons caching, because the computation of an element failed. Does nothing if the block is finished, which
     * already has all elements.
     */
    void elementFailed() {
        if (state != State.FINISHED) {
            abandon();
        }
    }

    private void abandon() {
        state = State.ABANDONED;
        batches.clear();
        free();
        BlockFileWriter blockFile = file;
        file = null;
        if (blockFile != null) {
            blockFile.abandon();
        }
    }

    private void free() {
        blocks.drop(booked);
        booked = 0;
    }

    /**
     * Publishes the block in the store and returns true. If the block was not finished or is cached already, or the
     * store is closed, discards the block and returns false.
     */
    public boolean publish() {
        boolean published = content != null && blocks.publish(this);
        if (published) {
            handOver();
        } else {
            discard();
        }
        return published;
    }

    /**
     * Passes the ownership of the finished block's memory and file to the caller, so that this writer no longer
     * releases them.
     */
    void handOver() {
        booked = 0;
        content = null;
    }

    /** Releases the memory of the block and deletes its file. */
    public void discard() {
        BlockContent finished = content;
        content = null;
        if (finished != null && finished.file != null) {
            finished.file.delete();
            file = null;
        }
        abandon();
    }
}
