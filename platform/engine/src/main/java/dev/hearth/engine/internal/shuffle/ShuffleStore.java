package dev.hearth.engine.internal.shuffle;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The output of map tasks of one application, in the memory of the driver's process: nothing is spilled. Any thread may call.
 * <p>Output appears whole, when its attempt has succeeded, and stays until its shuffle is removed; later successes of the
 * same map task change nothing, so that all readers see the same.
 */
public final class ShuffleStore {
    private final Map<Integer, Outputs> shuffles = new ConcurrentHashMap<>();

    /** The outputs of one shuffle by map task; each is a list of blocks by reading task. */
    private record Outputs(AtomicReferenceArray<@Nullable List<ShuffleBlock>> byMap, int readers) {}

    /** Which reader a key belongs to: spread evenly, whatever the hash codes are like; the null key is the first's. */
    public static int reader(@Nullable Object key, int readers) {
        int hash = key == null ? 0 : key.hashCode();
        hash *= 0x9E3779B9; // multiples of the number of readers are common among hash codes
        hash ^= hash >>> 16;
        return key == null ? 0 : Math.floorMod(hash, readers);
    }

    /** Makes room for the output of {@code maps} tasks; what is there already stays. */
    public void open(int shuffle, int maps, int readers) {
        Outputs known = shuffles.computeIfAbsent(shuffle, id -> new Outputs(new AtomicReferenceArray<>(maps), readers));
        if (known.byMap.length() != maps || known.readers != readers) {
            throw new IllegalStateException("shuffle " + shuffle + ": " + maps + " x " + readers + " (expected: "
                    + known.byMap.length() + " x " + known.readers + ", as before)");
        }
    }

    /** Publishes what a map task has for each reader. A shuffle that was removed meanwhile takes nothing. */
    public void publish(int shuffle, int map, List<ShuffleBlock> blocks) {
        Outputs outputs = shuffles.get(shuffle);
        if (outputs != null) {
            outputs.byMap.compareAndSet(map, null, List.copyOf(blocks));
        }
    }

    /** What all map tasks have for one reader, by map task. */
    public List<ShuffleBlock> read(int shuffle, int reader) throws MissingOutput {
        Outputs outputs = shuffles.get(shuffle);
        if (outputs == null) {
            throw new MissingOutput(
                    shuffle, -1, "shuffle " + shuffle + ": nothing of it is here (expected: what its map tasks wrote)");
        }
        ShuffleBlock[] blocks = new ShuffleBlock[outputs.byMap.length()];
        for (int map = 0; map < blocks.length; map++) {
            List<ShuffleBlock> output = outputs.byMap.get(map);
            if (output == null) {
                throw new MissingOutput(
                        shuffle,
                        map,
                        "shuffle " + shuffle + ": the output of map task " + map + " is not here (expected: all "
                                + blocks.length + ")");
            }
            blocks[map] = output.get(reader);
        }
        return List.of(blocks);
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
        if (outputs != null) {
            outputs.byMap.set(map, null);
        }
    }

    public void remove(int shuffle) {
        shuffles.remove(shuffle);
    }

    public void clear() {
        shuffles.clear();
    }
}
