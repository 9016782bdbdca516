package dev.hearth.engine.internal.shuffle;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.memory.Evictable;
import dev.hearth.spi.error.Failures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the map outputs of one application in this process. They stay in memory while there is room and no other
 * process reads them; otherwise each is one file on disk. An output is published as a whole when its task attempt
 * succeeds, and stays until its shuffle is removed. A later success of the same map task is ignored, so that all
 * reducers read the same data; {@link #publish(MapOutput, int)} makes an exception. Any thread may call.
 */
public final class ShuffleStore implements Evictable, ShuffleReader {
    /**
     * Size in bytes below which a map output is evicted only if no larger ones are left, because each eviction writes a
     * file.
     */
    private static final long SMALL_BYTES = 64 * 1024;

    /**
     * Upper bound on the bytes in segments of other reducers that are verified after one segment of a shuffle was found
     * corrupt. Verifying everything could take very long.
     */
    private static final long CHECKED_BYTES_MAX = 256 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ShuffleStore.class);

    private final ShuffleServices services;
    private final long checkedBytesMax;
    private final Map<Integer, Outputs> shuffles = new ConcurrentHashMap<>();
    private final Set<MapOutput> inMemory = new LinkedHashSet<>(); // the oldest first; the set is its own lock

    /** Map outputs of one shuffle that this store has, by the number of the map task. */
    private static final class Outputs {
        final AtomicReferenceArray<@Nullable MapOutput> byMap;
        final int reducers;
        // by map task: why its output was deleted, for the errors of later requests
        final Map<Integer, String> lossReasons = new ConcurrentHashMap<>();

        Outputs(int maps, int reducers) {
            this.byMap = new AtomicReferenceArray<>(maps);
            this.reducers = reducers;
        }
    }

    /**
     * Creates the store. It registers with the memory of {@code services}, which can then make it evict map outputs.
     */
    public ShuffleStore(ShuffleServices services) {
        this(services, CHECKED_BYTES_MAX);
    }

    ShuffleStore(ShuffleServices services, long checkedBytesMax) {
        this.services = services;
        this.checkedBytesMax = checkedBytesMax;
        List<Evictable> self = List.of(this);
        services.memory().evictables(() -> self);
    }

    /** The services that the creator of this store gave to it, such as memory and temporary files. */
    public ShuffleServices services() {
        return services;
    }

    /**
     * Registers a shuffle of {@code maps} map tasks and {@code reducers} reducers; does nothing if the shuffle is
     * registered already.
     */
    public void open(int shuffle, int maps, int reducers) {
        Outputs known = shuffles.computeIfAbsent(shuffle, id -> new Outputs(maps, reducers));
        if (known.byMap.length() != maps || known.reducers != reducers) {
            throw new IllegalStateException("shuffle " + shuffle + ": " + maps + " x " + reducers + " (expected: "
                    + known.byMap.length() + " x " + known.reducers + ", as before)");
        }
    }

    /**
     * Creates an output on disk, with {@code tableBytes} of storage memory for its record counts and file offsets. The
     * output is invisible until it is published.
     */
    MapOutput onDisk(int shuffle, int map, int[] records, List<PartitionedFile> files, long tableBytes) {
        return new MapOutput(shuffle, map, records, files, null, 0, 0, tableBytes, this::drop);
    }

    /**
     * As {@link #onDisk}, but with batches in memory. The caller has reserved {@code memoryBytes} of storage memory for
     * them, which include {@code objectBytes} for the objects that the batches refer to.
     */
    MapOutput inMemory(
            int shuffle,
            int map,
            int[] records,
            List<PartitionedFile> files,
            @Nullable List<PairBatch>[] batches,
            long memoryBytes,
            long objectBytes,
            long tableBytes) {
        return new MapOutput(shuffle, map, records, files, batches, memoryBytes, objectBytes, tableBytes, this::drop);
    }

    private void drop(long bytes) {
        services.memory().drop(bytes);
    }

    /** Publishes the output of a map task. Deletes it instead if its shuffle was removed meanwhile. */
    public void publish(MapOutput output) {
        publish(output, 0);
    }

    /**
     * Publishes the output of a map task with the number of its run. The tasks of a barrier stage all run again
     * together, and each such run has a greater number; other stages always have 0. Output of an earlier run is
     * replaced, because reducers must not mix runs. Run numbers grow through all jobs of an application and wrap from
     * {@link Integer#MAX_VALUE} to {@link Integer#MIN_VALUE}.
     */
    public void publish(MapOutput output, int run) {
        output.setRun(run);
        publish(output, former -> former.run() - run < 0);
    }

    private void publish(MapOutput output, Predicate<MapOutput> isReplaced) {
        Outputs outputs = shuffles.get(output.shuffle);
        boolean inMemoryToo = output.memoryBytes() > 0;
        if (inMemoryToo) {
            synchronized (inMemory) {
                inMemory.add(output);
            }
        }
        boolean published = outputs != null && replace(outputs, output, isReplaced);
        // the output was not accepted, or its shuffle was removed meanwhile
        if (!published || shuffles.get(output.shuffle) != outputs) {
            delete(output);
        }
    }

    private boolean replace(Outputs outputs, MapOutput output, Predicate<MapOutput> isReplaced) {
        while (true) {
            MapOutput former = outputs.byMap.get(output.map);
            if (former != null && !isReplaced.test(former)) {
                return false;
            }
            if (outputs.byMap.compareAndSet(output.map, former, output)) {
                if (former != null) {
                    delete(former);
                }
                return true;
            }
        }
    }

    private void delete(MapOutput output) {
        synchronized (inMemory) {
            inMemory.remove(output);
        }
        output.delete();
    }

    @Override
    public ShuffleInput read(int shuffle, int reducer, ShuffleReadContext task) throws FetchFailedException {
        return new LocalShuffleInput(this, read(shuffle, reducer));
    }

    /** Returns the segment that a map task wrote for a reducer; empty if this store does not have the map output. */
    public Optional<ShuffleSegment> block(int shuffle, int map, int reducer) {
        Outputs outputs = shuffles.get(shuffle);
        MapOutput output = outputs == null || map >= outputs.byMap.length() ? null : outputs.byMap.get(map);
        return output == null || reducer >= outputs.reducers ? Optional.empty() : Optional.of(output.block(reducer));
    }

    /**
     * Returns the file with the output of a map task; empty if this store does not have the output, or not as one file.
     */
    public Optional<MapOutputFile> stored(int shuffle, int map) {
        Outputs outputs = shuffles.get(shuffle);
        MapOutput output = outputs == null || map >= outputs.byMap.length() ? null : outputs.byMap.get(map);
        return output == null ? Optional.empty() : output.stored(outputs.byMap.length());
    }

    /**
     * Adopts a map output that was migrated from another executor, and takes over its file. The adopted output replaces
     * an output of the same map task in this store. The driver directs reducers to the adopted output, and some of them
     * may have read it from the other executor already.
     */
    public void adopt(int shuffle, int map, MapOutputFile from, Optional<PartitionedFile> file) {
        open(shuffle, from.maps(), from.records().length);
        List<PartitionedFile> files = file.stream().toList();
        long tables = MapOutput.tableBytes(from.records().length, files);
        long kept = services.memory().keep(tables) ? tables : 0; // without room the small tables are not counted
        MapOutput output = onDisk(shuffle, map, from.records(), files, kept);
        output.setRun(from.run());
        publish(output, former -> former.run() - from.run() <= 0);
    }

    /** The segments of all map tasks for one reducer, in the order of the map tasks. */
    public List<ShuffleSegment> read(int shuffle, int reducer) throws FetchFailedException {
        Outputs outputs = shuffles.get(shuffle);
        if (outputs == null) {
            throw new FetchFailedException(
                    shuffle,
                    -1,
                    List.of(),
                    "shuffle " + shuffle + ": no output of it is on this executor (expected: the output of its map"
                            + " tasks)");
        }
        List<ShuffleSegment> blocks = new ArrayList<>(outputs.byMap.length());
        List<Integer> missing = new ArrayList<>();
        for (int map = 0; map < outputs.byMap.length(); map++) {
            MapOutput output = outputs.byMap.get(map);
            if (output == null) {
                missing.add(map);
            } else {
                blocks.add(output.block(reducer));
            }
        }
        if (!missing.isEmpty()) {
            throw new FetchFailedException(
                    shuffle,
                    missing.get(0),
                    missing.subList(1, missing.size()),
                    "shuffle " + shuffle + ": the output of map task " + missing.get(0) + " is not on this executor"
                            + " (expected: all "
                            + outputs.byMap.length() + ", of which " + missing.size() + " are missing)");
        }
        return blocks;
    }

    /** The numbers of the map tasks of a shuffle that have an output in this store, in ascending order. */
    public List<Integer> present(int shuffle) {
        Outputs outputs = shuffles.get(shuffle);
        return outputs == null
                ? List.of()
                : IntStream.range(0, outputs.byMap.length())
                        .filter(map -> Objects.nonNull(outputs.byMap.get(map)))
                        .boxed()
                        .toList();
    }

    /**
     * Deletes the output of one map task, which will run again. Does nothing if this store does not have the output.
     */
    public void lose(int shuffle, int map) {
        Outputs outputs = shuffles.get(shuffle);
        MapOutput output = outputs == null ? null : outputs.byMap.getAndSet(map, null);
        if (output != null) {
            delete(output);
        }
    }

    /**
     * Deletes the map output of the segment {@code block}, which was found corrupt, unless the output was replaced
     * meanwhile. Then verifies the other outputs of the shuffle and deletes the corrupt ones. Verifies all segments for
     * the reducer of {@code block}, and up to {@code CHECKED_BYTES_MAX} bytes for other reducers. Returns the fetch
     * failure to report.
     */
    public FetchFailedException damaged(ShuffleSegment block, CorruptFileException damage) {
        MapOutput.Block found = (MapOutput.Block) block;
        MapOutput output = found.output();
        deleteCorrupt(output, damage);
        return new FetchFailedException(
                output.shuffle,
                output.map,
                corruptOthers(output, found.reducer()),
                output.subject() + ": " + damage.getMessage());
    }

    /**
     * Verifies the checksums of the segment that a map task wrote for a reducer, which may take long. Returns empty if
     * the segment is intact. If it is corrupt, deletes the output of the map task and other corrupt outputs of the
     * shuffle. Returns the fetch failure if the segment is corrupt or missing.
     */
    public Optional<FetchFailedException> check(int shuffle, int map, int reducer) {
        ShuffleSegment block = block(shuffle, map, reducer).orElse(null);
        if (block == null) {
            return Optional.of(new FetchFailedException(
                    shuffle,
                    map,
                    List.of(),
                    "shuffle " + shuffle + ", map task " + map + ": its output " + whyMissing(shuffle, map)));
        }
        try {
            ((MapOutput.Block) block).output().verify(reducer, 0);
            return Optional.empty();
        } catch (CorruptFileException damage) {
            return Optional.of(damaged(block, damage));
        }
    }

    /** Reason why the output of a map task is not in this store, for error messages. */
    public String whyMissing(int shuffle, int map) {
        return Optional.ofNullable(shuffles.get(shuffle))
                .map(outputs -> outputs.lossReasons.get(map))
                .map(damage -> "was deleted earlier, because it was corrupt: " + damage)
                .orElse("is not on this executor (expected: available until its shuffle is removed)");
    }

    private void deleteCorrupt(MapOutput output, CorruptFileException damage) {
        Outputs outputs = shuffles.get(output.shuffle);
        if (outputs != null) {
            outputs.lossReasons.put(output.map, String.valueOf(damage.getMessage())); // before deletion
        }
        if (outputs != null && outputs.byMap.compareAndSet(output.map, output, null)) {
            LOG.warn(
                    "{}: its file is corrupt, so its map task runs again: {}",
                    output.subject(),
                    Failures.describe(damage));
            delete(output);
        }
    }

    /**
     * Verifies the outputs that the shuffle of {@code output}, a corrupt output, still has. Deletes those that are
     * corrupt, and returns the map tasks whose outputs are lost. A disk that corrupts one file often corrupts more, and
     * a job allows only a few consecutive stage attempts.
     */
    private List<Integer> corruptOthers(MapOutput output, int reducer) {
        Outputs outputs = shuffles.get(output.shuffle);
        List<Integer> others = new ArrayList<>();
        long left = checkedBytesMax;
        for (int map = 0; outputs != null && map < outputs.byMap.length(); map++) {
            MapOutput other = outputs.byMap.get(map);
            if (other == null) {
                if (map != output.map && !services.isServed()) { // otherwise another executor may have the output
                    others.add(map);
                }
            } else {
                try {
                    left -= other.verify(reducer, left);
                } catch (CorruptFileException damage) {
                    deleteCorrupt(other, damage);
                    others.add(map);
                }
            }
        }
        return others;
    }

    public void remove(int shuffle) {
        Outputs outputs = shuffles.remove(shuffle);
        for (int map = 0; outputs != null && map < outputs.byMap.length(); map++) {
            MapOutput output = outputs.byMap.getAndSet(map, null);
            if (output != null) {
                delete(output);
            }
        }
    }

    public void clear() {
        List.copyOf(shuffles.keySet()).forEach(this::remove);
    }

    /**
     * Evicts whole map outputs to disk, the oldest first. If the disk fails, the outputs that were not evicted yet stay
     * in memory.
     */
    @Override
    public long evict(long wanted) {
        long freed = evict(wanted, SMALL_BYTES);
        return freed >= wanted ? freed : freed + evict(wanted - freed, 1);
    }

    private long evict(long wanted, long least) {
        long freed = 0;
        for (MapOutput output : evictionCandidates()) {
            if (freed >= wanted) {
                break;
            }
            if (output.memoryBytes() < least) {
                continue;
            }
            try {
                freed += output.evict(services);
            } catch (HearthException failure) {
                LOG.warn(
                        "{}: stays in memory, because it cannot be written to disk: {}",
                        output.subject(),
                        Failures.describe(failure));
                return freed;
            }
            if (output.memoryBytes() == 0) {
                synchronized (inMemory) {
                    inMemory.remove(output);
                }
            }
        }
        return freed;
    }

    private List<MapOutput> evictionCandidates() {
        synchronized (inMemory) {
            return List.copyOf(inMemory);
        }
    }
}
