package dev.hearth.engine.internal.driver.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that lost replicas are replaced, and that a decommissioned executor loses no data that others can hold. */
class ReplicationManagerTest {
    private static final int PARTITIONS = 6;
    private static final int DATASETS = 3;
    private static final int QUIET_STEPS = 15; // steps between two quiet moments
    private static final String MOVES = "hearth.storage.decommission.enabled";

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(
            value = StorageLevel.class,
            names = {"MEMORY_ONLY_2", "MEMORY_ONLY_SER_2", "MEMORY_AND_DISK_2", "DISK_ONLY_2", "DISK_ONLY_3"})
    void replicasHaveTheContentOfTheirSource(StorageLevel level) {
        try (ReplicationWorld world = new ReplicationWorld(1, directory)) {
            ReplicationWorld.Executor first = world.start("left");
            world.start("left");
            world.start("right");
            world.persist(1, PARTITIONS, level);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                first.compute(new BlockId(1, partition), level);
            }
            world.settle();
            world.requireAgreement(Set.of(1), PARTITIONS);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                BlockId block = new BlockId(1, partition);
                List<String> holders = world.locations.holders(1, partition);
                assertEquals(level.replicas(), holders.size());
                assertTrue(holders.contains("e2"), "another host is preferred");
                world.executors
                        .values()
                        .forEach(each -> each.elements(block)
                                .ifPresent(elements -> assertEquals(ReplicationWorld.expected(block), elements)));
            }
        }
    }

    @Test
    void aLostReplicaIsReplaced() {
        try (ReplicationWorld world = new ReplicationWorld(2, directory)) {
            ReplicationWorld.Executor first = world.start("a");
            world.start("b");
            world.start("c");
            persistAll(world, first, StorageLevel.MEMORY_ONLY_2);
            world.kill(first);
            world.settle();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertEquals(List.of("e1", "e2"), world.locations.holders(1, partition));
            }
            world.requireAgreement(Set.of(1), PARTITIONS);
        }
    }

    @Test
    void aLostReplicaIsNotReplacedIfDisabled() {
        try (ReplicationWorld world =
                new ReplicationWorld(3, directory, "hearth.storage.replication.proactive", "false")) {
            ReplicationWorld.Executor first = world.start("a");
            world.start("b");
            world.start("c");
            persistAll(world, first, StorageLevel.MEMORY_ONLY_2);
            world.kill(first);
            world.settle();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertEquals(1, world.locations.holders(1, partition).size());
            }
        }
    }

    @Test
    void replicasWaitForExecutors() {
        try (ReplicationWorld world = new ReplicationWorld(4, directory)) {
            persistAll(world, world.start("a"), StorageLevel.MEMORY_ONLY_2);
            assertEquals(List.of(), world.orders);
            world.start("b");
            world.settle();
            assertEquals(PARTITIONS, world.orders.size());
            assertEquals(List.of("e0", "e1"), world.locations.holders(1, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDecommissionedExecutorMigratesItsBlocks(boolean moves) {
        try (ReplicationWorld world = new ReplicationWorld(5, directory, MOVES, String.valueOf(moves))) {
            ReplicationWorld.Executor first = world.start("a");
            world.start("b");
            world.start("c");
            persistAll(world, first, StorageLevel.MEMORY_AND_DISK);
            assertEquals(List.of(), world.orders, "the level asks for one replica");
            decommission(world, first);
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertEquals(
                        moves ? 1 : 0, world.locations.holders(1, partition).size());
            }
            world.requireAgreement(Set.of(1), PARTITIONS);
        }
    }

    @Test
    void aDecommissionedExecutorMigratesItsMapOutputs() throws Exception {
        try (ReplicationWorld world = new ReplicationWorld(7, directory, MOVES, "true")) {
            ReplicationWorld.Executor first = world.start("a");
            world.start("b");
            world.start("c");
            for (int map = 0; map < ReplicationWorld.MAPS; map++) {
                first.write(new MapOutputId(3, map), 100 * map);
            }
            decommission(world, first);
            Set<ExecutorId> holders = new LinkedHashSet<>(world.outputs.values());
            assertEquals(ReplicationWorld.MAPS, world.outputs.size());
            assertEquals(world.executors.keySet(), holders, "spread over the remaining executors");
            for (MapOutputId output : world.outputs.keySet()) {
                ReplicationWorld.Executor live = world.executors.get(world.outputs.get(output));
                assertEquals(
                        IntStream.range(0, 100 * output.map()).boxed().toList(),
                        Objects.requireNonNull(live).keys(output));
            }
        }
    }

    @Test
    void anExecutorThatStaysKeepsItsDataAndReceivesCopies() throws Exception {
        try (ReplicationWorld world = new ReplicationWorld(9, directory, MOVES, "true")) {
            ReplicationWorld.Executor first = world.start("a");
            world.start("b");
            for (int map = 0; map < ReplicationWorld.MAPS; map++) {
                first.write(new MapOutputId(3, map), 100);
            }
            CompletableFuture<Void> left = empty(world, first);
            world.simulation.runFor(Duration.ofMillis(3));
            world.driver.execute(() -> world.copying.recommission(first.id));
            world.settle();
            assertTrue(left.isDone(), "the migration has ended");
            long stayed =
                    world.outputs.values().stream().filter(first.id::equals).count();
            assertTrue(stayed > 0 && stayed < ReplicationWorld.MAPS, stayed + " outputs stayed");
            persistAll(world, first, StorageLevel.MEMORY_ONLY_2);
            assertEquals(List.of("e0", "e1"), world.locations.holders(1, 0));
            decommission(world, first);
            assertTrue(
                    world.outputs.values().stream().allMatch(new ExecutorId("e1")::equals), "the next notice counts");
        }
    }

    @Test
    void targetsOfMapOutputsMayDie() throws Exception {
        try (ReplicationWorld world = new ReplicationWorld(8, directory, MOVES, "true")) {
            ReplicationWorld.Executor first = world.start("a");
            ReplicationWorld.Executor second = world.start("b");
            world.start("c");
            for (int map = 0; map < ReplicationWorld.MAPS; map++) {
                first.write(new MapOutputId(3, map), 100);
            }
            CompletableFuture<Void> left = empty(world, first);
            world.simulation.runFor(Duration.ofMillis(3));
            world.kill(second);
            world.settle();
            assertTrue(left.isDone());
            assertTrue(world.outputs.values().stream().allMatch(new ExecutorId("e2")::equals), world.outputs::toString);
        }
    }

    private static CompletableFuture<Void> empty(ReplicationWorld world, ReplicationWorld.Executor executor) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        world.driver.execute(
                () -> world.copying.migrate(executor.id).whenComplete((nothing, failure) -> left.complete(null)));
        return left;
    }

    /** Migrates the data of an executor and kills it. */
    private static void decommission(ReplicationWorld world, ReplicationWorld.Executor executor) {
        CompletableFuture<Void> left = empty(world, executor);
        world.settle();
        assertTrue(left.isDone());
        world.kill(executor);
        world.settle();
    }

    @Test
    void theOnlyExecutorStopsWithItsData() {
        try (ReplicationWorld world = new ReplicationWorld(6, directory, MOVES, "true")) {
            ReplicationWorld.Executor only = world.start("a");
            persistAll(world, only, StorageLevel.MEMORY_ONLY);
            decommission(world, only);
            assertEquals(List.of(), world.locations.holders(1, 0));
        }
    }

    private static void persistAll(ReplicationWorld world, ReplicationWorld.Executor executor, StorageLevel level) {
        world.persist(1, PARTITIONS, level);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            executor.compute(new BlockId(1, partition), level);
        }
        world.settle();
    }

    static long[] seeds() {
        return Simulation.seeds(30).toArray();
    }

    /** After any sequence of events, the driver and the executors agree on every block. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void driverAndExecutorsAgreeInTheEnd(long seed) {
        try (ReplicationWorld world = new ReplicationWorld(seed, directory, MOVES, "true")) {
            RandomGenerator random = world.simulation.random();
            Set<Integer> datasets = new LinkedHashSet<>();
            boolean evicted = false;
            for (int i = 0; i < 4; i++) {
                world.start("host" + i % 2);
            }
            world.simulation.runFor(Duration.ofSeconds(1));
            for (int step = 0; step < 60; step++) {
                evicted |= step(world, random, datasets);
                world.simulation.runFor(Duration.ofMillis(random.nextInt(8)));
                if (step % QUIET_STEPS == QUIET_STEPS - 1) {
                    world.settle(); // from here on each block has its replicas: one crash must not lose it
                }
            }
            world.settle();
            world.requireAgreement(datasets, PARTITIONS);
            for (int dataset : datasets) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    BlockId block = new BlockId(dataset, partition);
                    int holders = world.locations.holders(dataset, partition).size();
                    int wanted = Math.min(world.locations.level(dataset).replicas(), world.executors.size());
                    assertTrue(
                            evicted || holders >= wanted || (holders == 0 && world.mayBeMissing(block)),
                            block + ": " + holders + " copies (expected: " + wanted
                                    + ", or none where its only copy was lost in a crash)");
                }
            }
        }
    }

    /** Performs a random step. True if it evicted blocks. */
    private static boolean step(ReplicationWorld world, RandomGenerator random, Set<Integer> datasets) {
        List<ReplicationWorld.Executor> live = List.copyOf(world.executors.values());
        ReplicationWorld.Executor some = live.isEmpty() ? world.start("host0") : live.get(random.nextInt(live.size()));
        switch (random.nextInt(13)) {
            case 0 -> world.start("host" + random.nextInt(3));
            case 1 -> {
                if (live.size() > 2) {
                    world.kill(some);
                }
            }
            case 2 -> {
                if (live.size() > 2) {
                    compute(world, random, datasets, some); // so that it is being copied, or about to be
                    world.simulation.runFor(Duration.ofMillis(random.nextInt(8)));
                    world.decommission(some);
                }
            }
            case 3 -> {
                if (!datasets.isEmpty()) {
                    int dropped = datasets.iterator().next();
                    datasets.remove(dropped);
                    world.unpersist(dropped);
                }
            }
            case 4 -> {
                return world.simulation.seed() % 2 == 0 && some.plane.kept().evict(1 << 14) > 0;
            }
            case 5 -> world.keepLeavers();
            default -> compute(world, random, datasets, some);
        }
        return false;
    }

    private static void compute(
            ReplicationWorld world, RandomGenerator random, Set<Integer> datasets, ReplicationWorld.Executor executor) {
        List<Integer> known = List.copyOf(datasets);
        int chosen = known.size() < DATASETS ? world.nextDataset() : known.get(random.nextInt(known.size()));
        StorageLevel level = levels().get(chosen % levels().size());
        if (datasets.add(chosen)) {
            world.persist(chosen, PARTITIONS, level);
        }
        executor.compute(new BlockId(chosen, random.nextInt(PARTITIONS)), level);
    }

    private static List<StorageLevel> levels() {
        return List.of(
                StorageLevel.MEMORY_ONLY_2,
                StorageLevel.MEMORY_AND_DISK,
                StorageLevel.DISK_ONLY_2,
                StorageLevel.MEMORY_AND_DISK_SER_2,
                StorageLevel.DISK_ONLY_3);
    }
}
