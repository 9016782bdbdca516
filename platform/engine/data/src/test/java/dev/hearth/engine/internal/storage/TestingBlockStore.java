package dev.hearth.engine.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.FilePurpose;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.serializer.ShortRecords;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Block store with its own budget, files in a directory of the test, and a disk that a test can fill. */
final class TestingBlockStore implements AutoCloseable {
    private static final long HEAP_BYTES = 1L << 30;

    final MemoryBudget memory;
    final LocalTemporaryFiles files;
    final BlockStore blocks;
    final Map<BlockId, BlockStatus> reported = new LinkedHashMap<>();
    boolean full;

    TestingBlockStore(long budgetBytes, Path directory) {
        this(budgetBytes, directory, CompressionCodec.LZ4, RecordOutput.BYTES_MAX);
    }

    /** Compresses files with {@code compression}, and limits records. */
    TestingBlockStore(long budgetBytes, Path directory, CompressionCodec codec, int recordBytesMax) {
        UserObjectSerializer objects = new UserObjectSerializer(TestingBlockStore.class.getClassLoader());
        memory = new ProcessMemory(HEAP_BYTES).open(new MemorySettings(0.6, 0.5, OptionalLong.of(budgetBytes)));
        files = LocalTemporaryFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(codec, true, true)), Ticker.system());
        blocks = new BlockStore(
                memory,
                ShortRecords.of(objects, recordBytesMax),
                () -> new Fallible(files),
                objects.unchangeable(),
                new ObjectSizeEstimator(),
                this::report);
    }

    private void report(BlockStatus status) {
        if (status.isKept()) {
            reported.put(status.block(), status);
        } else {
            reported.remove(status.block());
        }
    }

    /** Caches elements as a task does, and publishes the block. */
    void keep(BlockId id, StorageLevel level, Object... elements) {
        BlockWriter draft = blocks.begin(id, level);
        try {
            new CachingIterator(Arrays.asList(elements).iterator(), draft).forEachRemaining(element -> {});
            draft.publish();
        } finally {
            draft.discard(); // no effect after the publication
        }
    }

    /** All elements of a block, if it is cached. */
    Optional<List<@Nullable Object>> read(BlockId id) {
        return blocks.read(id, () -> {}).map(elements -> {
            List<@Nullable Object> all = new ArrayList<>();
            elements.forEachRemaining(all::add);
            return all;
        });
    }

    boolean isKept(BlockId id) {
        Optional<BlockIterator> found = blocks.read(id, () -> {});
        found.ifPresent(BlockIterator::close);
        return found.isPresent();
    }

    boolean isInMemory(BlockId id) {
        BlockStatus status = reported.get(id);
        return status != null && status.memoryBytes() > 0;
    }

    /** The listener must know the same blocks and sizes as the store. */
    void requireReported() {
        reported.keySet().forEach(id -> assertTrue(isKept(id), () -> id + ": reported as cached, and gone"));
        assertEquals(
                blocks.memoryBytes(),
                reported.values().stream().mapToLong(BlockStatus::memoryBytes).sum(),
                "reported memory");
        assertEquals(
                blocks.diskBytes(),
                reported.values().stream().mapToLong(BlockStatus::diskBytes).sum(),
                "reported disk");
    }

    @Override
    public void close() {
        blocks.close();
        files.close();
        memory.close();
    }

    private final class Fallible implements TemporaryFiles {
        private final TemporaryFiles files;

        Fallible(TemporaryFiles files) {
            this.files = files;
        }

        @Override
        public PartitionedFileWriter create(String subject, int parts) {
            return create(subject, parts, FilePurpose.SPILL);
        }

        @Override
        public PartitionedFileWriter create(String subject, int parts, FilePurpose use) {
            if (full) {
                throw ErrorCode.DISK_FAILED.failure(subject + ": no room (expected: some)");
            }
            return files.create(subject, parts, use);
        }

        @Override
        public ReceivedFile receive(String subject) {
            return files.receive(subject);
        }

        @Override
        public SegmentSource source(FileSegment part) {
            return files.source(part);
        }

        @Override
        public SegmentInput open(FileSegment part, SegmentSource source) {
            return files.open(part, source);
        }

        @Override
        public long bytes() {
            return files.bytes();
        }

        @Override
        public void close() {}
    }
}
