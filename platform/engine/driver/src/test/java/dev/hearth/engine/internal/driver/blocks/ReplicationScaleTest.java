package dev.hearth.engine.internal.driver.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the cost of many copies for the driver: a few steps for each copy, however many are pending. Counted, not
 * timed.
 */
class ReplicationScaleTest {
    private static final int DATASET = 1;
    private static final int STEPS_MAX = 6; // evaluations of blocks, per copy
    private static final int PEER_STEPS_MAX = 30; // inspected hosts and executors, per copy
    private static final long MEMORY_BYTES = 1L << 30;
    private static final int OUTPUTS_AT_ONCE = 8;

    private final Settings input = Settings.empty().with("test", "hearth.storage.decommission.enabled", "true");
    private final ReplicationSettings settings = ReplicationSettings.from(input);
    private final BlockLocationRegistry locations = new BlockLocationRegistry(dataset -> {});
    private final ReplicationPeers peers = new ReplicationPeers();
    private final CopySourceQueue sources = new CopySourceQueue(peers);
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    private final List<Runnable> answers = new ArrayList<>(); // pending, of executors that copy
    private final Map<MapOutputId, ExecutorId> outputs = new LinkedHashMap<>();
    private final Map<ExecutorId, Integer> sending = new LinkedHashMap<>();
    private final Map<ExecutorId, Integer> receiving = new LinkedHashMap<>();
    private int copied;
    private int atOnceMost;
    private final BlockReplicator copies = new BlockReplicator(settings, locations, peers, sources, this::order);
    private final MapOutputMigrator moves =
            new MapOutputMigrator(settings, peers, sources, this::order, new MapOutputMigrator.MapOutputs() {
                @Override
                public List<MapOutputId> on(ExecutorId executor) {
                    return outputs.entrySet().stream()
                            .filter(entry -> entry.getValue().equals(executor))
                            .map(Map.Entry::getKey)
                            .toList();
                }

                @Override
                public void moved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
                    assertEquals(from, outputs.put(output, to));
                }
            });

    private void order(ExecutorId target, ReplicateBlock order) {
        begin(order.from().executor(), target);
        answers.add(() -> {
            end(order.from().executor(), target);
            BlockId block = new BlockId(order.dataset(), order.partition());
            caches(target, block);
            copies.copied(target, block, "");
        });
    }

    private void order(ExecutorId target, MigrateMapOutput order) {
        begin(order.from().executor(), target);
        answers.add(() -> {
            end(order.from().executor(), target);
            moves.copied(target, new MapOutputId(order.shuffle(), order.map()), "");
        });
    }

    private void begin(ExecutorId from, ExecutorId to) {
        copied++;
        sending.merge(from, 1, Integer::sum);
        receiving.merge(to, 1, Integer::sum);
        assertTrue(
                sending.get(from) <= ReplicationPeers.COPIES_AT_ONCE + OUTPUTS_AT_ONCE,
                "copies that one executor sends at once");
        assertTrue(receiving.get(to) <= ReplicationPeers.COPIES_AT_ONCE, "copies that one executor receives at once");
    }

    private void end(ExecutorId from, ExecutorId to) {
        sending.merge(from, -1, Integer::sum);
        receiving.merge(to, -1, Integer::sum);
    }

    private ExecutorId executor(int number, int hosts) {
        ExecutorId executor = new ExecutorId("e" + number);
        peers.add(executor, "host-" + number % hosts, executor + ":1");
        return executor;
    }

    private void caches(ExecutorId executor, BlockId block) {
        boolean isNew = locations.changed(executor.value(), "host", MEMORY_BYTES, new BlockStatus(block, 1, 100, 0));
        if (isNew) {
            copies.blockCached(block);
        }
    }

    private void runAll() {
        copies.run();
        moves.run();
        atOnceMost = Math.max(atOnceMost, answers.size());
    }

    /** Delivers the answers in random order until no copy is in flight. */
    private void settle() {
        runAll();
        while (!answers.isEmpty()) {
            answers.remove(random.nextInt(answers.size())).run();
            runAll();
        }
    }

    /** Every executor caches blocks that need two replicas; the driver receives a message for each block. */
    @ParameterizedTest(name = "{0} hosts")
    @ValueSource(ints = {1, 2, 25, 100})
    void replicasCostTheSameHoweverManyArePending(int hosts) {
        int count = 100;
        int blocksEach = 100;
        List<ExecutorId> executors = IntStream.range(0, count)
                .mapToObj(number -> executor(number, hosts))
                .toList();
        locations.persist(DATASET, "", count * blocksEach, StorageLevel.MEMORY_ONLY_2);
        for (int i = 0; i < count * blocksEach; i++) {
            caches(executors.get(i % count), new BlockId(DATASET, i));
            runAll();
        }
        settle();
        assertEquals(count * blocksEach, copied);
        assertEquals(List.of(), locations.underReplicated());
        assertTrue(copies.steps() <= (long) STEPS_MAX * copied, () -> copies.steps() + " evaluations of blocks");
        assertTrue(peers.steps() <= (long) PEER_STEPS_MAX * copied, () -> peers.steps() + " inspected peers");
        assertTrue(atOnceMost > count * ReplicationPeers.COPIES_AT_ONCE / 2, () -> atOnceMost + " copies at once");
    }

    /** One host takes all replicas, because every other executor is on the same host as the sources. */
    @Test
    void waitingForFewTargetsCostsNoMore() {
        int count = 60;
        List<ExecutorId> executors = IntStream.range(0, count)
                .mapToObj(number -> executor(number, 1))
                .toList();
        peers.add(new ExecutorId("apart"), "another", "apart:1");
        locations.persist(DATASET, "", 6_000, StorageLevel.MEMORY_ONLY_2);
        for (int i = 0; i < 6_000; i++) {
            caches(executors.get(i % count), new BlockId(DATASET, i));
            runAll();
        }
        settle();
        assertEquals(6_000, locations.blocksOn("apart").size());
        assertTrue(copies.steps() <= (long) STEPS_MAX * copied, () -> copies.steps() + " evaluations of blocks");
        assertTrue(peers.steps() <= (long) PEER_STEPS_MAX * copied, () -> peers.steps() + " inspected peers");
    }

    /** Most executors are decommissioned at once, so that the few others are always at their limit. */
    @Test
    void decommissioningManyCostsTheSameHoweverMuchIsPending() {
        int count = 60;
        int staying = 5;
        List<ExecutorId> executors = IntStream.range(0, count)
                .mapToObj(number -> executor(number, 30))
                .toList();
        locations.persist(DATASET, "", 3_000, StorageLevel.MEMORY_ONLY);
        for (int i = 0; i < 3_000; i++) {
            caches(executors.get(i % count), new BlockId(DATASET, i));
            outputs.put(new MapOutputId(3, i), executors.get(i % count));
        }
        runAll();
        assertEquals(0, copied);
        List<CompletableFuture<Void>> left = new ArrayList<>();
        executors.subList(staying, count).forEach(each -> peers.decommission(each));
        for (ExecutorId leaver : executors.subList(staying, count)) {
            for (CompletionStage<Void> part : List.of(copies.migrate(leaver), moves.migrate(leaver))) {
                left.add(part.toCompletableFuture());
            }
            runAll();
        }
        settle();
        assertTrue(left.stream().allMatch(CompletableFuture::isDone));
        Set<ExecutorId> holders = new LinkedHashSet<>(outputs.values());
        assertEquals(new LinkedHashSet<>(executors.subList(0, staying)), holders);
        assertEquals(
                3_000,
                executors.subList(0, staying).stream()
                        .flatMap(each -> locations.blocksOn(each.value()).stream())
                        .distinct()
                        .count());
        assertTrue(
                copies.steps() + moves.steps() <= (long) STEPS_MAX * copied,
                () -> copies.steps() + moves.steps() + " evaluations");
        assertTrue(peers.steps() <= (long) PEER_STEPS_MAX * copied, () -> peers.steps() + " inspected peers");
    }

    /** In any order of events: once no copy is in flight, no block waits that has an eligible target. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 42, 99})
    void noBlockIsForgotten(long seed) {
        RandomGenerator seeded = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int hosts = 1 + seeded.nextInt(4);
        ArrayDeque<ExecutorId> live = new ArrayDeque<>();
        locations.persist(DATASET, "", 400, StorageLevel.MEMORY_ONLY_2);
        int started = 0;
        for (int i = 0; i < 400; i++) {
            if (live.size() < 3 || seeded.nextInt(20) == 0) {
                live.add(executor(started++, hosts));
                copies.executorUp();
            }
            if (live.size() > 4 && seeded.nextInt(25) == 0) {
                lose(live.remove());
            }
            ExecutorId some = List.copyOf(live).get(seeded.nextInt(live.size()));
            caches(some, new BlockId(DATASET, i));
            runAll();
            if (!answers.isEmpty() && seeded.nextBoolean()) {
                answers.remove(seeded.nextInt(answers.size())).run();
                runAll();
            }
        }
        settle();
        assertEquals(List.of(), locations.underReplicated());
    }

    private void lose(ExecutorId executor) {
        List<BlockId> had = locations.blocksOn(executor.value());
        locations.executorLost(executor.value());
        peers.remove(executor);
        copies.executorLost(executor, had);
        moves.executorLost(executor);
    }
}
