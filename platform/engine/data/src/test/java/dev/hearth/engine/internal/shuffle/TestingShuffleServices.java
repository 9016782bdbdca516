package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import dev.hearth.engine.internal.serializer.ShortRecords;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shuffle services of a test: a memory budget, and files in a directory of the test. Closed by the test. */
public class TestingShuffleServices implements ShuffleServices, AutoCloseable {
    private final UserObjectSerializer objects =
            new UserObjectSerializer(TestingShuffleServices.class.getClassLoader());
    private final ObjectSizeEstimator sizes = new ObjectSizeEstimator();
    private final RecordFormat records;
    private final MemoryBudget memory;
    private final TemporaryFiles files;
    private final Path directory;
    private final ShuffleSettings settings;
    private final AtomicLong tasks = new AtomicLong();

    public TestingShuffleServices(long memoryBytes, Path directory) {
        this(memoryBytes, directory, ShuffleSettings.DEFAULTS);
    }

    TestingShuffleServices(long memoryBytes, Path directory, ShuffleSettings shuffles) {
        this(memoryBytes, directory, shuffles, CompressionCodec.LZ4, RecordOutput.BYTES_MAX);
    }

    /** Compresses files with {@code compression}. */
    TestingShuffleServices(long memoryBytes, Path directory, CompressionCodec codec) {
        this(memoryBytes, directory, ShuffleSettings.DEFAULTS, codec, RecordOutput.BYTES_MAX);
    }

    /** With a limit on records. */
    TestingShuffleServices(
            long memoryBytes, Path directory, ShuffleSettings shuffles, CompressionCodec codec, int recordBytesMax) {
        this.settings = shuffles;
        this.records = ShortRecords.of(objects, recordBytesMax);
        this.memory = new ProcessMemory(memoryBytes).open(new MemorySettings(0.6, 0.5, OptionalLong.of(memoryBytes)));
        this.directory = directory;
        this.files = LocalTemporaryFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(codec, true, true)), new FakeTicker());
    }

    public TaskMemory task() {
        return memory.open(tasks.getAndIncrement(), () -> {});
    }

    /** The temporary files on disk. */
    public List<Path> segments() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith("segment-"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** All pairs of a segment, keys and values in turn. */
    public List<@Nullable Object> pairs(ShuffleSegment block) throws Exception {
        List<@Nullable Object> pairs = new ArrayList<>();
        block.send(into(pairs), new LazyRecordReader(() -> records));
        return pairs;
    }

    static PairConsumer into(List<@Nullable Object> pairs) {
        return (key, value) -> {
            pairs.add(key);
            pairs.add(value);
        };
    }

    @Override
    public MemoryBudget memory() {
        return memory;
    }

    @Override
    public RecordFormat records() {
        return records;
    }

    @Override
    public TemporaryFiles files() {
        return files;
    }

    @Override
    public ObjectSizeEstimator sizes() {
        return sizes;
    }

    @Override
    public ImmutabilityCheck unchangeable() {
        return objects.unchangeable();
    }

    @Override
    public ShuffleSettings settings() {
        return settings;
    }

    @Override
    public void close() {
        files.close();
        memory.close();
    }
}
