package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.compress.Compression;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalSegmentFiles;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.record.RecordOutput;
import dev.hearth.engine.internal.record.ShortRecords;
import dev.hearth.engine.internal.serial.Unchangeable;
import dev.hearth.engine.internal.serial.UserObjects;
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

/** What shuffles of a test work with: so many bytes of memory, and files in a directory of the test's. Close it at the end. */
public class TestingParts implements ShuffleParts, AutoCloseable {
    private final UserObjects objects = new UserObjects(TestingParts.class.getClassLoader());
    private final ObjectSizes sizes = new ObjectSizes();
    private final RecordFormat records;
    private final MemoryBudget memory;
    private final SegmentFiles files;
    private final Path directory;
    private final ShuffleSettings settings;
    private final AtomicLong tasks = new AtomicLong();

    public TestingParts(long memoryBytes, Path directory) {
        this(memoryBytes, directory, ShuffleSettings.DEFAULTS);
    }

    TestingParts(long memoryBytes, Path directory, ShuffleSettings shuffles) {
        this(memoryBytes, directory, shuffles, Compression.LZ4, RecordOutput.BYTES_MAX);
    }

    /** Whose files are compressed in that way. */
    TestingParts(long memoryBytes, Path directory, Compression codec) {
        this(memoryBytes, directory, ShuffleSettings.DEFAULTS, codec, RecordOutput.BYTES_MAX);
    }

    /** With a bound on records. */
    TestingParts(long memoryBytes, Path directory, ShuffleSettings shuffles, Compression codec, int recordBytesMax) {
        this.settings = shuffles;
        this.records = ShortRecords.of(objects, recordBytesMax);
        this.memory = new ProcessMemory(memoryBytes).open(new MemorySettings(0.6, 0.5, OptionalLong.of(memoryBytes)));
        this.directory = directory;
        this.files = LocalSegmentFiles.of(
                new DiskSettings(List.of(directory), new CompressionSettings(codec, true, true)), new FakeTicker());
    }

    public TaskMemory task() {
        return memory.open(tasks.getAndIncrement(), () -> {});
    }

    /** The files that hold segments. */
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

    /** All pairs of a block, keys and values in turn. */
    public List<@Nullable Object> pairs(PairBlock block) throws Exception {
        List<@Nullable Object> pairs = new ArrayList<>();
        block.send(into(pairs), new LateReader(() -> records));
        return pairs;
    }

    static PairReceiver into(List<@Nullable Object> pairs) {
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
    public SegmentFiles files() {
        return files;
    }

    @Override
    public ObjectSizes sizes() {
        return sizes;
    }

    @Override
    public Unchangeable unchangeable() {
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
