package dev.hearth.engine.internal.fetch;

import static dev.hearth.engine.internal.fetch.FetchWorld.SHUFFLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.fetch.FetchWorld.Executor;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.testkit.Simulation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any mix of executors, sizes, limits, losses and corruption: a reader receives exactly what was written for
 * it, in the order of the map tasks, or a fetch failure that names a map task whose output is lost or corrupt;
 * nothing remains of the fetched data.
 */
@Timeout(120)
class FetchModelTest {
    private static final int SEEDS = 60;
    private static final List<String> HOSTS = List.of("one", "two", "three");

    @TempDir
    private Path directory;

    static LongStream seeds() {
        return Simulation.seeds(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aReaderReceivesEverythingOrAFetchFailure(long seed) throws Exception {
        int readers = 1 + (int) (seed % 4);
        try (FetchWorld world = new FetchWorld(seed, directory, readers)) {
            RandomGenerator random = world.simulation.random();
            write(world, random);
            RemoteShuffleReader shuffles = world.shuffles(settings(random));
            Set<Integer> harmed = new LinkedHashSet<>();
            harm(world, shuffles, random, harmed);
            List<Path> own = world.reader().files();
            for (int reader = 0; reader < readers; reader++) {
                read(world, shuffles, reader, harmed);
            }
            assertTrue(own.containsAll(world.reader().files()), "a copy stays");
        }
    }

    private static void write(FetchWorld world, RandomGenerator random) throws Exception {
        List<Executor> all = new ArrayList<>();
        for (int at = 0; at <= random.nextInt(1, 5); at++) {
            all.add(world.executor("e" + at, HOSTS.get(random.nextInt(HOSTS.size()))));
        }
        int maps = random.nextInt(1, 40);
        for (int map = 0; map < maps; map++) {
            int letters = random.nextInt(8) == 0 ? random.nextInt(30_000) : random.nextInt(50);
            all.get(random.nextInt(all.size())).write(maps, map, random.nextInt(6), letters);
        }
    }

    private static FetchSettings settings(RandomGenerator random) {
        return new FetchSettings(
                1L << random.nextInt(26),
                1 << random.nextInt(8),
                1 << random.nextInt(8),
                1L << random.nextInt(8, 26),
                random.nextBoolean(),
                random.nextInt(3),
                Duration.ofSeconds(random.nextInt(10)));
    }

    /** Injects faults; records the map tasks whose outputs they can affect. */
    private static void harm(
            FetchWorld world, RemoteShuffleReader shuffles, RandomGenerator random, Set<Integer> harmed)
            throws Exception {
        Map<Executor, List<Integer>> maps = new LinkedHashMap<>();
        world.holders()
                .forEach((map, executor) -> maps.computeIfAbsent(executor, none -> new ArrayList<>())
                        .add(map));
        maps.remove(world.reader());
        for (Map.Entry<Executor, List<Integer>> each : maps.entrySet()) {
            Executor executor = each.getKey();
            Duration soon = Duration.ofMillis(random.nextInt(200));
            switch (random.nextInt(9)) {
                case 0 -> {
                    world.simulation.schedule(soon, executor.process::crash);
                    if (random.nextBoolean()) {
                        world.simulation.schedule(soon.plusSeconds(1), () -> shuffles.gone(executor.holder.executor()));
                    }
                    harmed.addAll(each.getValue());
                }
                case 1 -> {
                    world.simulation.schedule(soon, executor.process::pause);
                    world.simulation.schedule(Duration.ofSeconds(random.nextInt(1, 300)), executor.process::resume);
                    harmed.addAll(each.getValue()); // it may exceed the timeout
                }
                case 2, 3 -> {
                    List<Path> files = executor.files();
                    if (!files.isEmpty()) {
                        damage(files.get(random.nextInt(files.size())), random.nextBoolean());
                    }
                    harmed.addAll(each.getValue());
                }
                case 4 -> {
                    int lost =
                            each.getValue().get(random.nextInt(each.getValue().size()));
                    executor.store.lose(SHUFFLE, lost);
                    harmed.add(lost);
                }
                default -> {} // unchanged
            }
        }
        if (random.nextInt(4) == 0) {
            int every = random.nextInt(1, 4);
            int[] count = new int[1];
            world.reader().scope.changes = name -> ++count[0] % every == 0;
            maps.values().forEach(harmed::addAll);
        }
    }

    private static void damage(Path file, boolean delete) throws Exception {
        if (delete) {
            Files.delete(file);
        } else {
            FetchWorld.flip(file);
        }
    }

    private static void read(FetchWorld world, RemoteShuffleReader shuffles, int reader, Set<Integer> harmed)
            throws Exception {
        List<@Nullable Object> pairs;
        try {
            pairs = world.read(shuffles, reader);
        } catch (FetchFailedException missing) {
            assertTrue(harmed.contains(missing.map()), () -> missing.map() + " of " + harmed + ": " + missing);
            assertTrue(harmed.containsAll(missing.others()), () -> missing.others() + " of " + harmed);
            assertFalse(String.valueOf(missing.getMessage()).isEmpty());
            return;
        }
        assertEquals(world.expected(reader), pairs);
    }
}
