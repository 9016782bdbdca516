package dev.hearth.engine.internal.driver;

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

/** What many executors copy costs the driver: a few looks for each copy, however much waits. Counted, not timed. */
class ReplicationScaleTest {
    private static final int DATASET = 1;
    private static final int LOOKS_MAX = 6; // at a block, for each of its copies
    private static final int PEER_LOOKS_MAX = 30; // at hosts and executors, for each copy
    private static final long MEMORY_BYTES = 1L << 30;
    private static final int OUTPUTS_AT_ONCE = 8;

    private final Settings given = Settings.empty().with("test", "hearth.storage.decommission.enabled", "true");
    private final ReplicationSettings settings = ReplicationSettings.from(given);
    private final BlockLocationRegistry kept = new BlockLocationRegistry(dataset -> {});
    private final ReplicationPeers peers = new ReplicationPeers();
    private final CopySourceQueue turns = new CopySourceQueue(peers);
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    private final List<Runnable> answers = new ArrayList<>(); // of executors that copy
    private final Map<MapOutputId, ExecutorId> outputs = new LinkedHashMap<>();
    private final Map<ExecutorId, Integer> giving = new LinkedHashMap<>();
    private final Map<ExecutorId, Integer> taking = new LinkedHashMap<>();
    private int copied;
    private int atOnceMost;
    private final BlockReplicator copies = new BlockReplicator(settings, kept, peers, turns, this::order);
    private final MapOutputMigrator moves =
            new MapOutputMigrator(settings, peers, turns, this::order, new MapOutputMigrator.MapOutputs() {
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

    private void order(ExecutorId taker, ReplicateBlock order) {
        begin(order.from().executor(), taker);
        answers.add(() -> {
            end(order.from().executor(), taker);
            BlockId block = new BlockId(order.dataset(), order.partition());
            keeps(taker, block);
            copies.copied(taker, block, "");
        });
    }

    private void order(ExecutorId taker, MigrateMapOutput order) {
        begin(order.from().executor(), taker);
        answers.add(() -> {
            end(order.from().executor(), taker);
            moves.copied(taker, new MapOutputId(order.shuffle(), order.map()), "");
        });
    }

    private void begin(ExecutorId from, ExecutorId to) {
        copied++;
        giving.merge(from, 1, Integer::sum);
        taking.merge(to, 1, Integer::sum);
        assertTrue(giving.get(from) <= ReplicationPeers.COPIES_AT_ONCE + OUTPUTS_AT_ONCE, "what one gives at once");
        assertTrue(taking.get(to) <= ReplicationPeers.COPIES_AT_ONCE, "what one takes at once");
    }

    private void end(ExecutorId from, ExecutorId to) {
        giving.merge(from, -1, Integer::sum);
        taking.merge(to, -1, Integer::sum);
    }

    private ExecutorId executor(int number, int hosts) {
        ExecutorId executor = new ExecutorId("e" + number);
        peers.add(executor, "host-" + number % hosts, executor + ":1");
        return executor;
    }

    private void keeps(ExecutorId executor, BlockId block) {
        boolean isNew = kept.changed(executor.value(), "host", MEMORY_BYTES, new BlockStatus(block, 1, 100, 0));
        if (isNew) {
            copies.blockCached(block);
        }
    }

    private void look() {
        copies.look();
        moves.look();
        atOnceMost = Math.max(atOnceMost, answers.size());
    }

    /** Lets one after the other answer, in any order, until nobody has anything to do. */
    private void settle() {
        look();
        while (!answers.isEmpty()) {
            answers.remove(random.nextInt(answers.size())).run();
            look();
        }
    }

    /** All executors keep blocks that should be kept twice, each of which the driver hears of in a message of its own. */
    @ParameterizedTest(name = "{0} hosts")
    @ValueSource(ints = {1, 2, 25, 100})
    void replicasCostTheSameHoweverManyWait(int hosts) {
        int count = 100;
        int blocksEach = 100;
        List<ExecutorId> executors = IntStream.range(0, count)
                .mapToObj(number -> executor(number, hosts))
                .toList();
        kept.keep(DATASET, "", count * blocksEach, StorageLevel.MEMORY_ONLY_2);
        for (int i = 0; i < count * blocksEach; i++) {
            keeps(executors.get(i % count), new BlockId(DATASET, i));
            look();
        }
        settle();
        assertEquals(count * blocksEach, copied);
        assertEquals(List.of(), kept.lacking());
        assertTrue(copies.looks() <= (long) LOOKS_MAX * copied, () -> copies.looks() + " looks at blocks");
        assertTrue(peers.looks() <= (long) PEER_LOOKS_MAX * copied, () -> peers.looks() + " looks at peers");
        assertTrue(atOnceMost > count * ReplicationPeers.COPIES_AT_ONCE / 2, () -> atOnceMost + " copies at once");
    }

    /** One host is small and takes all, since replicas go to another host where there is one. */
    @Test
    void waitingForAFewTakersCostsNoMore() {
        int count = 60;
        List<ExecutorId> executors = IntStream.range(0, count)
                .mapToObj(number -> executor(number, 1))
                .toList();
        peers.add(new ExecutorId("apart"), "another", "apart:1");
        kept.keep(DATASET, "", 6_000, StorageLevel.MEMORY_ONLY_2);
        for (int i = 0; i < 6_000; i++) {
            keeps(executors.get(i % count), new BlockId(DATASET, i));
            look();
        }
        settle();
        assertEquals(6_000, kept.blocksOn("apart").size());
        assertTrue(copies.looks() <= (long) LOOKS_MAX * copied, () -> copies.looks() + " looks at blocks");
        assertTrue(peers.looks() <= (long) PEER_LOOKS_MAX * copied, () -> peers.looks() + " looks at peers");
    }

    /** Most executors leave at once; those that stay are busy all the time. */
    @Test
    void leavingTogetherCostsTheSameHoweverMuchWaits() {
        int count = 60;
        int staying = 5;
        List<ExecutorId> executors = IntStream.range(0, count)
                .mapToObj(number -> executor(number, 30))
                .toList();
        kept.keep(DATASET, "", 3_000, StorageLevel.MEMORY_ONLY);
        for (int i = 0; i < 3_000; i++) {
            keeps(executors.get(i % count), new BlockId(DATASET, i));
            outputs.put(new MapOutputId(3, i), executors.get(i % count));
        }
        look();
        assertEquals(0, copied);
        List<CompletableFuture<Void>> left = new ArrayList<>();
        executors.subList(staying, count).forEach(each -> peers.leaving(each));
        for (ExecutorId leaver : executors.subList(staying, count)) {
            for (CompletionStage<Void> part : List.of(copies.empty(leaver), moves.empty(leaver))) {
                left.add(part.toCompletableFuture());
            }
            look();
        }
        settle();
        assertTrue(left.stream().allMatch(CompletableFuture::isDone));
        Set<ExecutorId> holders = new LinkedHashSet<>(outputs.values());
        assertEquals(new LinkedHashSet<>(executors.subList(0, staying)), holders);
        assertEquals(
                3_000,
                executors.subList(0, staying).stream()
                        .flatMap(each -> kept.blocksOn(each.value()).stream())
                        .distinct()
                        .count());
        assertTrue(
                copies.looks() + moves.looks() <= (long) LOOKS_MAX * copied,
                () -> copies.looks() + moves.looks() + " looks");
        assertTrue(peers.looks() <= (long) PEER_LOOKS_MAX * copied, () -> peers.looks() + " looks at peers");
    }

    /** In whatever order things happen: once nothing is under way, nothing waits that somebody could take. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 42, 99})
    void nothingIsForgotten(long seed) {
        RandomGenerator drawn = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        int hosts = 1 + drawn.nextInt(4);
        ArrayDeque<ExecutorId> there = new ArrayDeque<>();
        kept.keep(DATASET, "", 400, StorageLevel.MEMORY_ONLY_2);
        int started = 0;
        for (int i = 0; i < 400; i++) {
            if (there.size() < 3 || drawn.nextInt(20) == 0) {
                there.add(executor(started++, hosts));
                copies.executorUp();
            }
            if (there.size() > 4 && drawn.nextInt(25) == 0) {
                lose(there.remove());
            }
            ExecutorId some = List.copyOf(there).get(drawn.nextInt(there.size()));
            keeps(some, new BlockId(DATASET, i));
            look();
            if (!answers.isEmpty() && drawn.nextBoolean()) {
                answers.remove(drawn.nextInt(answers.size())).run();
                look();
            }
        }
        settle();
        assertEquals(List.of(), kept.lacking());
    }

    private void lose(ExecutorId executor) {
        List<BlockId> had = kept.blocksOn(executor.value());
        kept.executorLost(executor.value());
        peers.remove(executor);
        copies.executorLost(executor, had);
        moves.executorLost(executor);
    }
}
