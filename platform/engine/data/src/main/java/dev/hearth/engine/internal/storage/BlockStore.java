package dev.hearth.engine.internal.storage;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.Evictable;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.spi.shuffle.FileSegment;
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
 * Store of the cached blocks of one application in this process. It has at most one copy of each block; replicas are in
 * other processes. When memory is needed, the least recently used blocks are evicted, to disk if their storage level
 * allows it. Blocks that are being read, and blocks of the dataset that needs the memory, are not evicted. Any thread
 * may call; the lock is held briefly, never during I/O.
 */
public final class BlockStore implements Evictable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

    private static final int PAGE_BYTES_MIN = 512;
    private static final int PAGES_OF_ALL = 64; // a page is at most 1/64 of the memory budget

    private final MemoryBudget memory;
    private final RecordFormat records;
    private final Supplier<? extends TemporaryFiles> files;
    private final ImmutabilityCheck unchangeable;
    private final ObjectSizeEstimator sizes;
    private final BlockListener listener;
    private final int pageBytes;
    // the dataset that this thread reserves memory for, whose blocks are not evicted
    private final ThreadLocal<Integer> booking = new ThreadLocal<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<BlockId, Block> blocks = new LinkedHashMap<>();
    private final LinkedHashMap<BlockId, Block> recent = // blocks in memory, least recently used first
            new LinkedHashMap<>(16, 0.75f, true);
    private final Set<Integer> irreplaceable = new LinkedHashSet<>(); // datasets that cannot be recomputed
    private long diskBytes;
    private long versions; // last assigned version
    private boolean closed;

    /** Cached block of a {@link BlockStore}. Guarded by the lock of the store. */
    private static final class Block {
        final BlockId id;
        StorageLevel level;
        BlockContent content;
        boolean evicting; // whether a thread is evicting the block
        long version; // a new number for each change of its content

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

    /** Returns a writer that caches the elements of a new block at storage level {@code level}. */
    public BlockWriter begin(BlockId id, StorageLevel level) {
        return write(id, level, false);
    }

    /** Returns a writer for a copy of another executor's block, whose records arrive serialised. */
    public BlockWriter receive(BlockId id, StorageLevel level) {
        return write(id, level, true);
    }

    private BlockWriter write(BlockId id, StorageLevel level, boolean asBytes) {
        CachedBatchBuilder values = new CachedBatchBuilder(unchangeable, sizes, pageBytes / Long.BYTES);
        return new BlockWriter(this, id, level, values, pageBytes, asBytes);
    }

    /**
     * Returns an iterator over {@code copy}, a finished copy of a remote block. The copy is not published, because only
     * one task reads it. Closing the iterator releases the copy.
     */
    public BlockIterator lend(BlockWriter copy, Runnable check) {
        BlockContent content = copy.content();
        lock.lock();
        try {
            content.beginReading();
            content.drop();
        } finally {
            lock.unlock();
        }
        copy.handOver();
        return new BlockIterator(this, copy.id(), content, records.reader(), check);
    }

    /**
     * Returns the description of a cached block, which another executor needs to copy the block. Empty if the block is
     * not cached here.
     */
    public Optional<BlockInfo> view(BlockId id) {
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block == null) {
                return Optional.empty();
            }
            BlockContent content = block.content;
            Optional<FileSegment> place = Optional.ofNullable(content.file).map(file -> file.segment(0));
            return Optional.of(new BlockInfo(block.version, content.records, place));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a page (some serialised records) of a block in memory, for an executor that copies the block page by
     * page. The page begins at element {@code index} of batch number {@code chunk}. Empty if the block is not in this
     * store, is on disk, or has another version than {@code version}.
     */
    public Optional<BlockPage> page(BlockId id, long version, int chunk, int index) {
        BlockContent content;
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block == null || block.version != version || block.content.file != null) {
                return Optional.empty();
            }
            content = block.content;
            content.beginReading();
        } finally {
            lock.unlock();
        }
        try {
            return Optional.of(BlockPage.of(content.batches, chunk, index, records.writer(), pageBytes));
        } finally {
            endReading(content);
        }
    }

    /**
     * As {@link #read(BlockId, StorageLevel, Runnable)}, but keeps the storage level with which the block was cached.
     */
    Optional<BlockIterator> read(BlockId id, Runnable check) {
        return read(id, StorageLevel.NONE, check);
    }

    /**
     * Returns an iterator over a block if it is cached; the caller closes the iterator. {@code check} runs before each
     * element and may throw. {@code wanted} is the current storage level of the dataset, which may have changed since
     * the block was cached. If that level uses disk, later evictions move the block to disk.
     */
    public Optional<BlockIterator> read(BlockId id, StorageLevel wanted, Runnable check) {
        BlockContent content;
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block == null) {
                return Optional.empty();
            }
            recent.get(id); // marks it as most recently used
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

    /** Adds a finished block; returns false if the block is cached already or the store is closed. */
    boolean publish(BlockWriter draft) {
        BlockContent content = draft.content();
        lock.lock();
        try {
            if (closed || blocks.containsKey(draft.id())) {
                return false;
            }
            Block block = new Block(draft.id(), draft.level(), content);
            blocks.put(draft.id(), block);
            contentChanged(block);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void contentChanged(Block block) {
        BlockContent content = block.content;
        block.version = ++versions;
        if (content.memoryBytes > 0) {
            recent.put(block.id, block);
        }
        diskBytes += content.diskBytes;
        listener.changed(new BlockStatus(block.id, content.records, content.memoryBytes, content.diskBytes));
    }

    /** Sets the storage level of all cached blocks of a dataset to {@code level}; later evictions follow it. */
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

    /**
     * Marks a dataset as impossible to recompute, so that eviction never drops a block of the dataset. Eviction moves
     * such blocks to disk; if the disk fails, they stay in memory until the dataset is removed.
     */
    public void makeOnly(int dataset) {
        lock.lock();
        try {
            irreplaceable.add(dataset);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #remove(int, Executor)}, but releases memory and files on the calling thread. */
    public void remove(int dataset) {
        remove(dataset, Runnable::run);
    }

    /**
     * Removes all blocks of a dataset, which are then invisible immediately. The executor {@code releasing} then frees
     * their memory and files. A block that is still being read is freed when its last reader finishes.
     */
    public void remove(int dataset, Executor releasing) {
        List<BlockContent> released = new ArrayList<>();
        lock.lock();
        try {
            List<Block> of = blocks.values().stream()
                    .filter(block -> block.id.dataset() == dataset)
                    .toList();
            of.forEach(block -> remove(block, released));
            irreplaceable.remove(dataset);
        } finally {
            lock.unlock();
        }
        if (!released.isEmpty()) {
            releasing.execute(() -> released.forEach(this::release));
        }
    }

    /**
     * Removes the block {@code id}, whose content was found corrupt because of {@code why}. Does nothing if the block
     * has another content meanwhile.
     */
    void corrupt(BlockId id, BlockContent content, String why) {
        LOG.warn("{}: corrupt, so it is dropped, and recomputed when it is needed: {}", id, why);
        List<BlockContent> released = new ArrayList<>();
        lock.lock();
        try {
            Block block = blocks.get(id);
            if (block != null && block.content == content) {
                remove(block, released);
            }
        } finally {
            lock.unlock();
        }
        released.forEach(this::release);
    }

    private void remove(Block block, List<BlockContent> released) {
        blocks.remove(block.id);
        recent.remove(block.id);
        drop(block.content, released);
        listener.changed(BlockStatus.gone(block.id));
    }

    private void drop(BlockContent content, List<BlockContent> released) {
        diskBytes -= content.diskBytes;
        if (content.drop()) {
            released.add(content);
        }
    }

    private long release(BlockContent content) {
        memory.drop(content.memoryBytes);
        if (content.file != null) {
            content.file.delete();
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
        Set<BlockId> skipped = new HashSet<>(); // blocks that could not be evicted, skipped in this call
        long freed = 0;
        while (freed < wanted) {
            Block victim = victim(own, skipped);
            if (victim == null) {
                return freed;
            }
            freed += evict(victim, skipped);
        }
        return freed;
    }

    /**
     * Selects the next block to evict, and marks it so that no other thread selects it. Skips the dataset {@code own}
     * and the blocks in {@code skipped}; null if no block is left.
     */
    private @Nullable Block victim(@Nullable Integer own, Set<BlockId> skipped) {
        lock.lock();
        try {
            for (Block block : recent.values()) {
                boolean ofSameDataset = own != null && own == block.id.dataset();
                if (!ofSameDataset && !block.evicting && !block.content.isRead() && !skipped.contains(block.id)) {
                    block.evicting = true;
                    return block;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private long evict(Block victim, Set<BlockId> skipped) {
        BlockContent before = victim.content; // does not change while `evicting` is set
        PartitionedFile written = null;
        List<BlockContent> released = List.of();
        boolean toDisk = isEvictedToDisk(victim);
        try {
            written = toDisk ? writeToDisk(victim.id, before) : null;
        } finally { // runs also after an OutOfMemoryError: without a file the block is dropped
            released = completeEviction(victim, before, written, toDisk);
        }
        if (toDisk && written == null) {
            skipped.add(victim.id);
        }
        return released.stream().mapToLong(this::release).sum();
    }

    private boolean isEvictedToDisk(Block block) {
        lock.lock();
        try {
            return mayUseDisk(block);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether eviction may move a block to disk. A block that cannot be recomputed may use disk at any storage level,
     * because the change of its level may not have arrived here yet.
     */
    private boolean mayUseDisk(Block block) {
        return block.level.usesDisk() || irreplaceable.contains(block.id.dataset());
    }

    /**
     * Completes an eviction: the content of the block is now the file {@code written}. If there is no file, the block
     * is removed unless it must stay in memory. Returns the contents whose memory the caller must release.
     */
    private List<BlockContent> completeEviction(
            Block victim, BlockContent before, @Nullable PartitionedFile written, boolean toDisk) {
        List<BlockContent> released = new ArrayList<>();
        boolean there;
        lock.lock();
        try {
            victim.evicting = false;
            there = blocks.get(victim.id) == victim; // false if the block was removed meanwhile
            boolean isIrreplaceable = irreplaceable.contains(victim.id.dataset());
            // if its level has begun to allow disk meanwhile, the block stays, and the next eviction moves it to disk
            boolean mustStay = isIrreplaceable || (!toDisk && mayUseDisk(victim));
            if (there && written == null && !mustStay) {
                remove(victim, released);
            } else if (there && written != null) {
                recent.remove(victim.id);
                drop(before, released);
                victim.content = BlockContent.onDisk(before.records, written);
                contentChanged(victim);
            }
        } finally {
            lock.unlock();
        }
        if (!there && written != null) {
            written.delete();
        }
        return released;
    }

    private @Nullable PartitionedFile writeToDisk(BlockId id, BlockContent content) {
        try {
            return BlockFileWriter.write(files(), id, writer(), pageBytes, content.batches);
        } catch (RuntimeException failure) {
            LOG.warn(
                    "{}: cannot be written to disk: {}; the block is dropped and recomputed when it is needed, or it"
                            + " stays in memory if it cannot be recomputed",
                    id,
                    String.valueOf(failure.getMessage()));
            return null;
        }
    }

    /**
     * Reserves {@code bytes} of storage memory for a block of {@code dataset}, without evicting other blocks of this
     * dataset. Returns false if there is too little memory.
     */
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

    /** Number of bytes of memory that all blocks of this store use. */
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

    /** Number of bytes on disk that all blocks of this store use. */
    public long diskBytes() {
        lock.lock();
        try {
            return diskBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Removes all blocks and refuses new ones. */
    @Override
    public void close() {
        List<BlockContent> released = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            List.copyOf(blocks.values()).forEach(block -> remove(block, released));
        } finally {
            lock.unlock();
        }
        released.forEach(this::release);
    }
}
