package dev.hearth.engine.internal.storage;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.Evictable;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of one application that are kept in this process, each once: replicas are other processes'. When room is needed
 * those give way that were not read for the longest time, to disk where the level has it; never for a block of their own dataset,
 * nor while they are read. Any thread may call; its lock is held for moments, never while something is written.
 */
public final class BlockStore implements Evictable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

    private static final int PAGE_BYTES_MIN = 512;
    private static final int PAGES_OF_ALL = 64; // a page is at most such a part of the budget

    private final MemoryBudget memory;
    private final RecordFormat records;
    private final Supplier<? extends TemporaryFiles> files;
    private final ImmutabilityCheck unchangeable;
    private final ObjectSizeEstimator sizes;
    private final BlockListener listener;
    private final int pageBytes;
    private final ThreadLocal<Integer> booking = new ThreadLocal<>(); // for which dataset this thread wants room
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockId, Block> blocks = new LinkedHashMap<>();
    private final LinkedHashMap<BlockId, Block> recent = // those in memory, the one read last at the end
            new LinkedHashMap<>(16, 0.75f, true);
    private final Set<Integer> only = new LinkedHashSet<>(); // datasets that nobody could make again
    private long diskBytes;
    private long versions; // given out so far
    private boolean closed;

    /** Guarded by the lock. */
    private static final class Block {
        final BlockId id;
        StorageLevel level;
        BlockContent content;
        boolean moving; // being evicted by some thread
        long version; // another one each time its content is

        Block(BlockId id, StorageLevel level, BlockContent content) {
            this.id = id;
            this.level = level;
            this.content = content;
        }
    }

    public BlockStore(
            MemoryBudget memory,
            RecordFormat records,
            Supplier<? extends TemporaryFiles> files,
            ImmutabilityCheck unchangeable,
            ObjectSizeEstimator sizes,
            BlockListener listener) {
        this.memory = memory;
        this.records = records;
        this.files = files;
        this.unchangeable = unchangeable;
        this.sizes = sizes;
        this.listener = listener;
        this.pageBytes = (int)
                Math.max(PAGE_BYTES_MIN, Math.min(PartitionedFileWriter.FRAME_BYTES, memory.total() / PAGES_OF_ALL));
        memory.evictables(() -> List.of(this));
    }

    /** Begins to keep a block. */
    public BlockWriter begin(BlockId id, StorageLevel level) {
        return draft(id, level, false);
    }

    /** Begins a copy of a block that another process keeps, for bytes alone. */
    public BlockWriter receive(BlockId id, StorageLevel level) {
        return draft(id, level, true);
    }

    private BlockWriter draft(BlockId id, StorageLevel level, boolean asBytes) {
        CachedBatchBuilder values = new CachedBatchBuilder(unchangeable, sizes, pageBytes / Long.BYTES);
        return new BlockWriter(this, id, level, values, pageBytes, asBytes);
    }

    /** The elements of a finished copy, for one reader; what it takes is given back once they are closed. */
    public BlockIterator lend(BlockWriter copy, Runnable check) {
        BlockContent content = copy.content();
        lock.lock();
        try {
            content.beginReading();
            content.giveUp();
        } finally {
            lock.unlock();
        }
        copy.handOver();
        return new BlockIterator(this, copy.id(), content, records.reader(), check);
    }

    /** What others need to know to copy a block, if it is kept. */
    public Optional<BlockInfo> view(BlockId id) {
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block == null) {
                return Optional.empty();
            }
            BlockContent content = block.content;
            Optional<FileSegment> place = Optional.ofNullable(content.segment).map(segment -> segment.place(0));
            return Optional.of(new BlockInfo(block.version, content.records, place));
        } finally {
            lock.unlock();
        }
    }

    /** The bytes of a block in memory from a place on; empty when it does not lie there as it did in that version. */
    public Optional<BlockPage> page(BlockId id, long version, int chunk, int index) {
        BlockContent content;
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block == null || block.version != version || block.content.segment != null) {
                return Optional.empty();
            }
            content = block.content;
            content.beginReading();
        } finally {
            lock.unlock();
        }
        try {
            return Optional.of(BlockPage.of(content.chunks, chunk, index, records.writer(), pageBytes));
        } finally {
            endReading(content);
        }
    }

    /** As the other one, whatever its level. */
    Optional<BlockIterator> read(BlockId id, Runnable check) {
        return read(id, StorageLevel.NONE, check);
    }

    /**
     * The elements of a block, if it is kept; close them. {@code check} is called before each and may throw. Goes on to disk from now
     * on where {@code wanted} has it, for that may have changed since it was kept.
     */
    public Optional<BlockIterator> read(BlockId id, StorageLevel wanted, Runnable check) {
        BlockContent content;
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block == null) {
                return Optional.empty();
            }
            recent.get(id); // makes it the one read last
            if (wanted.usesDisk() && !block.level.usesDisk()) {
                block.level = wanted;
            }
            content = block.content;
            content.beginReading();
        } finally {
            lock.unlock();
        }
        return Optional.of(new BlockIterator(this, id, content, records.reader(), check));
    }

    /** Takes over a finished draft; false when the block is there already, or nothing is kept any more. */
    boolean publish(BlockWriter draft) {
        BlockContent content = draft.content();
        lock.lock();
        try {
            if (closed || blocks.containsKey(draft.id())) {
                return false;
            }
            Block block = new Block(draft.id(), draft.level(), content);
            blocks.put(draft.id(), block);
            stored(block);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void stored(Block block) {
        BlockContent content = block.content;
        block.version = ++versions;
        if (content.memoryBytes > 0) {
            recent.put(block.id, block);
        }
        diskBytes += content.diskBytes;
        listener.changed(new BlockStatus(block.id, content.records, content.memoryBytes, content.diskBytes));
    }

    /** How a dataset is kept from now on. */
    public void relevel(int dataset, StorageLevel level) {
        lock.lock();
        try {
            blocks.values().stream()
                    .filter(block -> block.id.dataset() == dataset)
                    .forEach(block -> block.level = level);
        } finally {
            lock.unlock();
        }
    }

    /** From now on there is nothing else that a dataset could be made of: it goes to disk or stays, until it is removed. */
    public void makeOnly(int dataset) {
        lock.lock();
        try {
            only.add(dataset);
        } finally {
            lock.unlock();
        }
    }

    /** As the other one, and gives back at once what they took. */
    public void remove(int dataset) {
        remove(dataset, Runnable::run);
    }

    /**
     * Lets all blocks of a dataset go: nobody finds them from now on. What they took is given back by {@code releasing}, or when the
     * last one has read on.
     */
    public void remove(int dataset, Executor releasing) {
        List<BlockContent> gone = new ArrayList<>();
        lock.lock();
        try {
            List<Block> of = blocks.values().stream()
                    .filter(block -> block.id.dataset() == dataset)
                    .toList();
            of.forEach(block -> remove(block, gone));
            only.remove(dataset);
        } finally {
            lock.unlock();
        }
        if (!gone.isEmpty()) {
            releasing.execute(() -> gone.forEach(this::release));
        }
    }

    /** Lets a block go that cannot be read, unless it was kept anew meanwhile. */
    void damaged(BlockId id, BlockContent content, String why) {
        LOG.warn("{}: dropped, and computed anew when it is wanted: {}", id, why);
        List<BlockContent> gone = new ArrayList<>();
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block != null && block.content == content) {
                remove(block, gone);
            }
        } finally {
            lock.unlock();
        }
        gone.forEach(this::release);
    }

    private void remove(Block block, List<BlockContent> gone) {
        blocks.remove(block.id);
        recent.remove(block.id);
        giveUp(block.content, gone);
        listener.changed(BlockStatus.gone(block.id));
    }

    private void giveUp(BlockContent content, List<BlockContent> gone) {
        diskBytes -= content.diskBytes;
        if (content.giveUp()) {
            gone.add(content);
        }
    }

    private long release(BlockContent content) {
        memory.drop(content.memoryBytes);
        if (content.segment != null) {
            content.segment.delete();
        }
        return content.memoryBytes;
    }

    void endReading(BlockContent content) {
        boolean last;
        lock.lock();
        try {
            last = content.endReading();
        } finally {
            lock.unlock();
        }
        if (last) {
            release(content);
        }
    }

    @Override
    public long evict(long wanted) {
        Integer own = booking.get();
        Set<BlockId> staying = new HashSet<>(); // what could not go: not to be tried again before the next time
        long freed = 0;
        while (freed < wanted) {
            Block victim = victim(own, staying);
            if (victim == null) {
                return freed;
            }
            freed += evict(victim, staying);
        }
        return freed;
    }

    /** The block that gives way next, marked so that no other thread takes it. */
    private @Nullable Block victim(@Nullable Integer own, Set<BlockId> staying) {
        lock.lock();
        try {
            for (Block block : recent.values()) {
                boolean ofAsking = own != null && own == block.id.dataset();
                if (!ofAsking && !block.moving && !block.content.isRead() && !staying.contains(block.id)) {
                    block.moving = true;
                    return block;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private long evict(Block victim, Set<BlockId> staying) {
        BlockContent before = victim.content; // nobody else changes it while it moves
        PartitionedFile moved = null;
        List<BlockContent> gone = List.of();
        boolean toDisk = usesDisk(victim);
        try {
            moved = toDisk ? move(victim.id, before) : null;
        } finally { // whatever was thrown, memory above all: without a file it is dropped
            gone = settle(victim, before, moved, toDisk);
        }
        if (toDisk && moved == null) {
            staying.add(victim.id);
        }
        return gone.stream().mapToLong(this::release).sum();
    }

    private boolean usesDisk(Block block) {
        lock.lock();
        try {
            return goesToDisk(block);
        } finally {
            lock.unlock();
        }
    }

    /** What nobody could make again does whatever its level: that may not have come here yet. */
    private boolean goesToDisk(Block block) {
        return block.level.usesDisk() || only.contains(block.id.dataset());
    }

    /** Has a block lie in {@code moved}, or nowhere unless it must stay; returns what is to be released. */
    private List<BlockContent> settle(
            Block victim, BlockContent before, @Nullable PartitionedFile moved, boolean toDisk) {
        List<BlockContent> gone = new ArrayList<>();
        boolean there;
        lock.lock();
        try {
            victim.moving = false;
            there = blocks.get(victim.id) == victim; // else it was given up meanwhile
            boolean isOnly = only.contains(victim.id.dataset());
            boolean mustStay = isOnly || (!toDisk && goesToDisk(victim)); // since a moment ago: to disk the next time
            if (there && moved == null && !mustStay) {
                remove(victim, gone);
            } else if (there && moved != null) {
                recent.remove(victim.id);
                giveUp(before, gone);
                victim.content = BlockContent.onDisk(before.records, moved);
                stored(victim);
            }
        } finally {
            lock.unlock();
        }
        if (!there && moved != null) {
            moved.delete();
        }
        return gone;
    }

    private @Nullable PartitionedFile move(BlockId id, BlockContent content) {
        try {
            return BlockFileWriter.write(files(), id, writer(), pageBytes, content.chunks);
        } catch (RuntimeException failure) {
            LOG.warn(
                    "{}: cannot be written, and is dropped unless there is nothing else to make it of: {}",
                    id,
                    String.valueOf(failure.getMessage()));
            return null;
        }
    }

    /** Books memory for a block of a dataset. */
    boolean book(int dataset, long bytes) {
        booking.set(dataset);
        try {
            return memory.keep(bytes);
        } finally {
            booking.remove();
        }
    }

    void drop(long bytes) {
        if (bytes > 0) {
            memory.drop(bytes);
        }
    }

    RecordFormat.Writer writer() {
        return records.writer();
    }

    TemporaryFiles files() {
        return files.get();
    }

    /** What the blocks of all datasets take in memory. */
    public long memoryBytes() {
        lock.lock();
        try {
            return recent.values().stream()
                    .mapToLong(block -> block.content.memoryBytes)
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /** What they take on disk. */
    public long diskBytes() {
        lock.lock();
        try {
            return diskBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Lets everything go; nothing is kept from now on. */
    @Override
    public void close() {
        List<BlockContent> gone = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            List.copyOf(blocks.values()).forEach(block -> remove(block, gone));
        } finally {
            lock.unlock();
        }
        gone.forEach(this::release);
    }
}
