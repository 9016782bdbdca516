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
 * A block being kept while its elements pass. Owned by the thread of its task, which ends it by {@link #publish} or
 * {@link #discard}. Memory is booked before it is taken, but for one page on the way to disk and for what a record is larger
 * than a page. Where there is no room it goes on to disk if its level has that, else it is given up and the elements just pass.
 */
public final class BlockWriter {
    private static final Logger LOG = LoggerFactory.getLogger(BlockWriter.class);

    /** What a block takes beside its elements, about. */
    static final long OVERHEAD_BYTES = 256;

    private static final int BUFFER_FIRST_BYTES = 1024;
    private static final int BUFFER_KEPT_PAGES = 4; // a page that grew larger for one record is not written to again
    private static final int BUFFER_LEFT_PART =
            8; // of a page, so that most last records fit and the buffer need not double
    private static final int AHEAD_PART = 8; // so much of what is needed is booked ahead, a page at most

    /** What becomes of the next element. */
    private enum State {
        /** Kept as it is, if it cannot change. */
        VALUES,
        /** Kept as bytes, in memory. */
        BYTES,
        /** Written to disk. */
        DISK,
        GIVEN_UP,
        FINISHED
    }

    private final BlockStore blocks;
    private final BlockId id;
    private final StorageLevel level;
    private final RecordFormat.Writer writer;
    private final CachedBatchBuilder values;
    private final int pageBytes;
    private final List<CachedBatch> chunks = new ArrayList<>();
    private State state;
    private RecordOutput page;
    private int pageRecords;
    private long pagesBytes; // finished ones
    private long records;
    private long booked;
    private @Nullable BlockFileWriter file;
    private @Nullable BlockContent content; // once finished

    /** As bytes from the first element on with {@code asBytes}, whatever its level says. */
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
            noRoom();
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
            throw new IllegalStateException(id + ": asked for before it was finished");
        }
        return finished;
    }

    /** Whether it was finished, and not given up. */
    public boolean isWhole() {
        return content != null;
    }

    /** Whether elements are of no interest any more. */
    public boolean isOver() {
        return state == State.GIVEN_UP || state == State.FINISHED;
    }

    /** Keeps an element, of which later changes have no effect. Refused with {@code NOT_SERIALIZABLE} when it cannot be kept. */
    public void add(@Nullable Object element) {
        switch (state) {
            case VALUES -> addValue(element);
            case BYTES, DISK -> write(element);
            case GIVEN_UP, FINISHED -> {} // it just passes
        }
    }

    private void addValue(@Nullable Object element) {
        if (!values.takes(element)) {
            values.finish(chunks);
            state = State.BYTES; // from here on all: to ask of each takes longer than to copy the rest
        } else if (values.add(element, chunks, this::isBooked)) {
            records++;
            return;
        } else {
            values.finish(chunks);
            noRoom();
        }
        add(element);
    }

    /** Adds whole records as bytes, which nobody changes any more. */
    public void addPage(byte[] bytes, int pageOf) {
        CachedBatch.Page whole = new CachedBatch.Page(bytes, pageOf);
        if (state == State.BYTES) {
            if (ensure(memoryBytes() + bytes.length + pageBytes)) {
                chunks.add(whole);
                pagesBytes += bytes.length;
            } else {
                noRoom();
            }
        }
        if (state == State.DISK) {
            writeToDisk(whole);
        }
        records += pageOf;
    }

    private void writeToDisk(CachedBatch.Page whole) {
        BlockFileWriter disk = file;
        onDisk(() -> (disk == null ? open() : disk).write(whole));
    }

    /** How many elements it has by now. */
    public long records() {
        return records;
    }

    /** All of it lies in {@code segment}, which is this draft's from now on. */
    public void finishWith(PartitionedFile segment, long recordsThere) {
        free();
        records = recordsThere;
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
            cutPage(); // it may be as large as an array that it has for itself
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
            if (ensure(memoryBytes() + length + pageBytes)) { // and the next one
                chunks.add(new CachedBatch.Page(Arrays.copyOf(page.array(), length), pageRecords));
                pagesBytes += length;
            } else {
                noRoom();
            }
        }
        BlockFileWriter disk = file;
        if (state == State.DISK) {
            onDisk(() -> (disk == null ? open() : disk).write(page));
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

    private void noRoom() {
        if (!level.usesDisk()) {
            LOG.debug("{}: no room for it in memory: not kept", id);
            giveUp();
            return;
        }
        state = State.DISK;
        onDisk(() -> {
            BlockFileWriter disk = open();
            chunks.forEach(disk::write);
        });
        chunks.clear();
        free();
    }

    private BlockFileWriter open() {
        BlockFileWriter opened = new BlockFileWriter(blocks.files(), id, writer, pageBytes);
        file = opened;
        return opened;
    }

    /** Without a disk that works the elements just pass: they are computed anew by whoever wants them next. */
    private void onDisk(Runnable step) {
        try {
            step.run();
        } catch (HearthException failure) {
            if (!failure.code().equals(ErrorCode.DISK_FAILED.name())) {
                throw failure;
            }
            LOG.warn("{}: not kept, for it cannot be written: {}", id, failure.getMessage());
            giveUp();
        }
    }

    /** All elements have passed. */
    public void finish() {
        if (isOver()) {
            return;
        }
        if (state == State.VALUES) {
            values.finish(chunks);
        }
        cutPage();
        if ((state == State.VALUES || state == State.BYTES) && !ensure(memoryBytes())) {
            noRoom();
        }
        if (state == State.DISK) {
            onDisk(() -> {
                BlockFileWriter disk = file;
                content = BlockContent.onDisk(records, (disk == null ? open() : disk).finish());
            });
        } else if (state != State.GIVEN_UP) {
            long bytes = memoryBytes();
            blocks.drop(booked - bytes);
            booked = bytes;
            content = BlockContent.inMemory(records, chunks, bytes);
        }
        if (state != State.GIVEN_UP) {
            state = State.FINISHED;
        }
    }

    /** Elements are missing from here on: it is given up, unless all had passed before. */
    void breakOff() {
        if (state != State.FINISHED) {
            giveUp();
        }
    }

    private void giveUp() {
        state = State.GIVEN_UP;
        chunks.clear();
        free();
        BlockFileWriter disk = file;
        file = null;
        if (disk != null) {
            disk.abandon();
        }
    }

    private void free() {
        blocks.drop(booked);
        booked = 0;
    }

    /** Lets others read it, if it was finished; false when it is kept already, or cannot be. */
    public boolean publish() {
        boolean published = content != null && blocks.publish(this);
        if (published) {
            handOver();
        } else {
            discard();
        }
        return published;
    }

    /** What it holds is somebody else's from now on. */
    void handOver() {
        booked = 0;
        content = null;
    }

    /** Gives back memory and file. */
    public void discard() {
        BlockContent finished = content;
        content = null;
        if (finished != null && finished.segment != null) {
            finished.segment.delete();
            file = null;
        }
        giveUp();
    }
}
