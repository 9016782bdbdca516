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
 * The output of map tasks of one application in this process: in memory while there is room and no other process reads it, else
 * on disk, then in one file for each. It appears
 * whole, when its attempt has succeeded, and stays until its shuffle is removed; later successes of the same map task change
 * nothing, so that all readers see the same, unless the whole stage runs again. Any thread may call.
 */
public final class ShuffleStore implements Evictable, ShuffleReader {
    /** Outputs that take less are moved to disk only when there are no others. */
    private static final long SMALL_BYTES = 64 * 1024;

    /** Read of outputs of a shuffle, for all their readers, when one was found damaged. */
    private static final long CHECKED_BYTES_MAX = 256 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ShuffleStore.class);

    private final ShuffleServices parts;
    private final Map<Integer, Outputs> shuffles = new ConcurrentHashMap<>();
    private final Set<MapOutput> inMemory = new LinkedHashSet<>(); // the oldest first; guarded by itself

    /** The outputs of one shuffle by map task. */
    private static final class Outputs {
        final AtomicReferenceArray<@Nullable MapOutput> byMap;
        final int readers;
        final Map<Integer, String> givenUp = new ConcurrentHashMap<>(); // why, for those who ask later, by map task

        Outputs(int maps, int readers) {
            this.byMap = new AtomicReferenceArray<>(maps);
            this.readers = readers;
        }
    }

    /** Part of {@code parts}, whose memory asks it for room from now on. */
    public ShuffleStore(ShuffleServices parts) {
        this.parts = parts;
        List<Evictable> self = List.of(this);
        parts.memory().evictables(() -> self);
    }

    /** What it works with. */
    public ShuffleServices parts() {
        return parts;
    }

    /** Makes room for the output of {@code maps} tasks; what is there already stays. */
    public void open(int shuffle, int maps, int readers) {
        Outputs known = shuffles.computeIfAbsent(shuffle, id -> new Outputs(maps, readers));
        if (known.byMap.length() != maps || known.readers != readers) {
            throw new IllegalStateException("shuffle " + shuffle + ": " + maps + " x " + readers + " (expected: "
                    + known.byMap.length() + " x " + known.readers + ", as before)");
        }
    }

    /** An output that lies in segments; so much is kept for its tables. Nobody sees it before it is published. */
    MapOutput onDisk(int shuffle, int map, int[] records, List<PartitionedFile> segments, long tableBytes) {
        return new MapOutput(shuffle, map, records, segments, null, 0, 0, tableBytes, this::drop);
    }

    /** As {@link #onDisk}, with more in memory, which is kept already: {@code objectBytes} of that for what it refers to. */
    MapOutput inMemory(
            int shuffle,
            int map,
            int[] records,
            List<PartitionedFile> segments,
            @Nullable List<PairBatch>[] pieces,
            long memoryBytes,
            long objectBytes,
            long tableBytes) {
        return new MapOutput(shuffle, map, records, segments, pieces, memoryBytes, objectBytes, tableBytes, this::drop);
    }

    private void drop(long bytes) {
        parts.memory().drop(bytes);
    }

    /** Publishes what a map task has for each reader. A shuffle that was removed meanwhile takes nothing. */
    public void publish(MapOutput output) {
        publish(output, 0);
    }

    /**
     * As the other one; what an earlier run left goes, for the tasks of a run belong together. Numbers of runs grow through all jobs
     * of an application, from {@link Integer#MAX_VALUE} on to the least one.
     */
    public void publish(MapOutput output, int run) {
        output.ofRun(run);
        publish(output, former -> former.run() - run < 0);
    }

    private void publish(MapOutput output, Predicate<MapOutput> givesWay) {
        Outputs outputs = shuffles.get(output.shuffle);
        boolean held = output.memoryBytes() > 0;
        if (held) {
            synchronized (inMemory) {
                inMemory.add(output);
            }
        }
        boolean taken = outputs != null && takePlace(outputs, output, givesWay);
        if (!taken || shuffles.get(output.shuffle) != outputs) { // removed meanwhile, perhaps before it was there
            delete(output);
        }
    }

    private boolean takePlace(Outputs outputs, MapOutput output, Predicate<MapOutput> givesWay) {
        while (true) {
            MapOutput former = outputs.byMap.get(output.map);
            if (former != null && !givesWay.test(former)) {
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
    public ShuffleInput read(int shuffle, int reader, ShuffleReadContext task) throws FetchFailedException {
        return new LocalShuffleInput(this, read(shuffle, reader));
    }

    /** What one map task has for one reader, if its output is here. */
    public Optional<ShuffleSegment> block(int shuffle, int map, int reader) {
        Outputs outputs = shuffles.get(shuffle);
        MapOutput output = outputs == null || map >= outputs.byMap.length() ? null : outputs.byMap.get(map);
        return output == null || reader >= outputs.readers ? Optional.empty() : Optional.of(output.block(reader));
    }

    /** The output of a map task, if it lies here in one file. */
    public Optional<MapOutputFile> stored(int shuffle, int map) {
        Outputs outputs = shuffles.get(shuffle);
        MapOutput output = outputs == null || map >= outputs.byMap.length() ? null : outputs.byMap.get(map);
        return output == null ? Optional.empty() : output.stored(outputs.byMap.length());
    }

    /**
     * Takes over the output of a map task that ran elsewhere; its file is this store's from now on, where it has one. What the same
     * map task left here goes: readers were sent elsewhere, and some may have read there already.
     */
    public void adopt(int shuffle, int map, MapOutputFile from, Optional<PartitionedFile> file) {
        open(shuffle, from.maps(), from.records().length);
        List<PartitionedFile> segments = file.stream().toList();
        long tables = MapOutput.tableBytes(from.records().length, segments);
        long kept = parts.memory().keep(tables) ? tables : 0; // small, and read all the same where there is no room
        MapOutput output = onDisk(shuffle, map, from.records(), segments, kept);
        output.ofRun(from.run());
        publish(output, former -> former.run() - from.run() <= 0);
    }

    /** What all map tasks have for one reader, by map task. */
    public List<ShuffleSegment> read(int shuffle, int reader) throws FetchFailedException {
        Outputs outputs = shuffles.get(shuffle);
        if (outputs == null) {
            throw new FetchFailedException(
                    shuffle,
                    -1,
                    List.of(),
                    "shuffle " + shuffle + ": nothing of it is here (expected: what its map tasks wrote)");
        }
        List<ShuffleSegment> blocks = new ArrayList<>(outputs.byMap.length());
        List<Integer> missing = new ArrayList<>();
        for (int map = 0; map < outputs.byMap.length(); map++) {
            MapOutput output = outputs.byMap.get(map);
            if (output == null) {
                missing.add(map);
            } else {
                blocks.add(output.block(reader));
            }
        }
        if (!missing.isEmpty()) {
            throw new FetchFailedException(
                    shuffle,
                    missing.get(0),
                    missing.subList(1, missing.size()),
                    "shuffle " + shuffle + ": the output of map task " + missing.get(0) + " is not here (expected: all "
                            + outputs.byMap.length() + ", of which " + missing.size() + " are missing)");
        }
        return blocks;
    }

    /** The map tasks whose output is here, in order. */
    public List<Integer> present(int shuffle) {
        Outputs outputs = shuffles.get(shuffle);
        return outputs == null
                ? List.of()
                : IntStream.range(0, outputs.byMap.length())
                        .filter(map -> Objects.nonNull(outputs.byMap.get(map)))
                        .boxed()
                        .toList();
    }

    /** Drops the output of one map task, for it to be made again. */
    public void lose(int shuffle, int map) {
        Outputs outputs = shuffles.get(shuffle);
        MapOutput output = outputs == null ? null : outputs.byMap.getAndSet(map, null);
        if (output != null) {
            delete(output);
        }
    }

    /**
     * Drops an output that was found damaged, unless another is in its place by now, and others of its shuffle that the same
     * reader could not read either, nor other readers as far as that is looked at; returns what to tell of it.
     */
    public FetchFailedException damaged(ShuffleSegment block, CorruptFileException damage) {
        MapOutput.Block found = (MapOutput.Block) block;
        MapOutput output = found.output();
        giveUp(output, damage);
        return new FetchFailedException(
                output.shuffle,
                output.map,
                others(output, found.reader()),
                output.subject() + ": " + damage.getMessage());
    }

    /**
     * Looks whether what a map task has for a reader can be read here, and drops it if not, with others of its shuffle; empty when
     * it can. It may touch a disk for long.
     */
    public Optional<FetchFailedException> check(int shuffle, int map, int reader) {
        ShuffleSegment block = block(shuffle, map, reader).orElse(null);
        if (block == null) {
            return Optional.of(new FetchFailedException(
                    shuffle,
                    map,
                    List.of(),
                    "shuffle " + shuffle + ", map task " + map + ": its output " + whyMissing(shuffle, map)));
        }
        try {
            ((MapOutput.Block) block).output().check(reader, 0);
            return Optional.empty();
        } catch (CorruptFileException damage) {
            return Optional.of(damaged(block, damage));
        }
    }

    /** What to tell of an output that is not here. */
    public String whyMissing(int shuffle, int map) {
        return Optional.ofNullable(shuffles.get(shuffle))
                .map(outputs -> outputs.givenUp.get(map))
                .map(damage -> "was given up before: " + damage)
                .orElse("is not here (expected: there until the shuffle is dropped)");
    }

    private void giveUp(MapOutput output, CorruptFileException damage) {
        Outputs outputs = shuffles.get(output.shuffle);
        if (outputs != null) {
            outputs.givenUp.put(output.map, String.valueOf(damage.getMessage())); // before anybody finds it gone
        }
        if (outputs != null && outputs.byMap.compareAndSet(output.map, output, null)) {
            LOG.warn("{}: damaged, its map task runs again: {}", output.subject(), Failures.describe(damage));
            delete(output);
        }
    }

    /** Where one file is damaged others may be: looks at once, for jobs fail so many times one after another and no more. */
    private List<Integer> others(MapOutput output, int reader) {
        Outputs outputs = shuffles.get(output.shuffle);
        List<Integer> others = new ArrayList<>();
        long left = CHECKED_BYTES_MAX;
        for (int map = 0; outputs != null && map < outputs.byMap.length(); map++) {
            MapOutput other = outputs.byMap.get(map);
            if (other == null) {
                if (map != output.map && !parts.isServed()) { // else it lies elsewhere
                    others.add(map);
                }
            } else {
                try {
                    left -= other.check(reader, left);
                } catch (CorruptFileException damage) {
                    giveUp(other, damage);
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

    /** Moves whole outputs to disk, the oldest first. When a disk fails what is left stays in memory. */
    @Override
    public long evict(long wanted) {
        long freed = evict(wanted, SMALL_BYTES);
        return freed >= wanted ? freed : freed + evict(wanted - freed, 1);
    }

    private long evict(long wanted, long least) {
        long freed = 0;
        for (MapOutput output : held()) {
            if (freed >= wanted) {
                break;
            }
            if (output.memoryBytes() < least) {
                continue;
            }
            try {
                freed += output.evict(parts);
            } catch (HearthException failure) {
                LOG.warn(
                        "{}: stays in memory, though room is needed: {}", output.subject(), Failures.describe(failure));
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

    private List<MapOutput> held() {
        synchronized (inMemory) {
            return List.copyOf(inMemory);
        }
    }
}
