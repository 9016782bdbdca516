package dev.hearth.engine.internal.driver.blocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.fetch.CopyServer;
import dev.hearth.engine.internal.fetch.MapOutputReceiver;
import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.fetch.RemoteShuffleReader;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.MapOutputMigrated;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.engine.internal.shuffle.ShuffleWriter;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockIterator;
import dev.hearth.engine.internal.storage.BlockStatus;
import dev.hearth.engine.internal.storage.BlockWriter;
import dev.hearth.engine.internal.storage.CachingIterator;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A driver's replication manager with executors that really store blocks and serve them to one another over a simulated
 * network. Messages between the driver and the executors are delayed too. For tests; one thread.
 */
final class ReplicationWorld implements AutoCloseable, MapOutputMigrator.MapOutputs {
    private static final long HEAP_BYTES = 1L << 30;
    private static final int PORT = 7;
    static final int MAPS = 20;
    private static final int READERS = 3;

    final Simulation simulation;
    final BlockLocationRegistry locations = new BlockLocationRegistry(this::unpersisted);
    final ReplicationManager copying;
    final Map<ExecutorId, Executor> executors = new LinkedHashMap<>();
    final Map<MapOutputId, ExecutorId> outputs = new LinkedHashMap<>();
    final List<String> orders = new ArrayList<>();
    final EventLoop driver;
    private final Path directory;
    private final Settings settings;
    // blocks that were cached and that no crash could take with it: one copy at least must survive
    private final Set<BlockId> safe = new LinkedHashSet<>();
    // by decommissioned executor, the blocks that the driver knew there and has to migrate
    private final Map<ExecutorId, Set<BlockId>> toMigrate = new LinkedHashMap<>();
    private final Map<ExecutorId, Integer> notices = new LinkedHashMap<>(); // number of the latest, by executor
    private int started;
    private int datasets;

    ReplicationWorld(long seed, Path directory, String... settings) {
        this.simulation = new Simulation(seed);
        this.directory = directory;
        Settings configured = Settings.empty().with("test", "hearth.memory.total", "4m");
        for (int i = 0; i < settings.length; i += 2) {
            configured = configured.with("test", settings[i], settings[i + 1]);
        }
        this.settings = configured;
        this.driver = simulation.process("driver").loop("driver-loop");
        this.copying = new ReplicationManager(
                driver, ReplicationSettings.from(configured), locations, this, new ReplicationManager.CopySender() {
                    @Override
                    public void copy(ExecutorId executor, ReplicateBlock order) {
                        orders.add("partition " + order.partition() + " from "
                                + order.from().executor() + " to " + executor);
                        to(executor, live -> live.copy(order));
                    }

                    @Override
                    public void copy(ExecutorId executor, MigrateMapOutput order) {
                        to(executor, live -> live.copy(order));
                    }
                });
    }

    private void to(ExecutorId executor, Consumer<Executor> order) {
        Executor live = executors.get(executor);
        if (live != null) {
            later(live.loop, () -> order.accept(live));
        }
    }

    /** Runs a step with the delay of a message. */
    private static void later(EventLoop loop, Runnable step) {
        loop.schedule(Duration.ofMillis(1), step);
    }

    private void unpersisted(int dataset) {
        executors.values().forEach(each -> later(each.loop, () -> each.plane.removeKept(dataset, Runnable::run)));
    }

    /** Starts an executor and adds it to the driver. */
    Executor start(String host) {
        Executor executor = new Executor(new ExecutorId("e" + started++), host);
        executors.put(executor.id, executor);
        driver.execute(() -> copying.executorUp(executor.id, host, executor.address));
        return executor;
    }

    /** Kills the process of an executor, and reports its loss to the driver and the other executors. */
    void kill(Executor executor) {
        safe.removeIf(block -> executor.has(block) && !staysElsewhere(block, executor));
        remove(executor);
    }

    /** Decommissions an executor: its process ends once the driver says that it has migrated what it can. */
    void decommission(Executor executor) {
        driver.execute(() -> {
            toMigrate.putIfAbsent(executor.id, new LinkedHashSet<>(locations.blocksOn(executor.id.value())));
            forgiveWithoutTargets();
            int notice = notices.merge(executor.id, 1, Integer::sum);
            copying.migrate(executor.id)
                    .thenRun(() -> driver.execute(() -> {
                        if (executors.containsKey(executor.id) && notices.get(executor.id) == notice) {
                            endMigrated(executor);
                        }
                    }));
        });
    }

    /** Withdraws the decommissioning of executors that have not ended yet. */
    void keepLeavers() {
        driver.execute(() -> List.copyOf(toMigrate.keySet()).stream()
                .filter(executors::containsKey)
                .forEach(executor -> {
                    toMigrate.remove(executor);
                    notices.merge(executor, 1, Integer::sum);
                    copying.recommission(executor);
                }));
    }

    private void endMigrated(Executor executor) {
        Set<BlockId> migrated = toMigrate.getOrDefault(executor.id, Set.of());
        safe.removeIf(block -> executor.has(block) && !staysElsewhere(block, executor) && !migrated.contains(block));
        remove(executor);
    }

    /** Whether an executor that is not being decommissioned has a copy too. */
    private boolean staysElsewhere(BlockId block, Executor executor) {
        return executors.values().stream()
                .anyMatch(other -> other != executor && !toMigrate.containsKey(other.id) && other.has(block));
    }

    /** While all executors are being decommissioned there is no target to migrate to. */
    private void forgiveWithoutTargets() {
        if (toMigrate.keySet().containsAll(executors.keySet())) {
            toMigrate.values().forEach(Set::clear);
        }
    }

    private void remove(Executor executor) {
        executors.remove(executor.id);
        forgiveWithoutTargets();
        executor.alive = false;
        executor.process.crash();
        executor.plane.close();
        driver.execute(() -> {
            List<BlockId> had = locations.blocksOn(executor.id.value());
            locations.executorLost(executor.id.value());
            copying.executorLost(executor.id, had);
            outputs.values().removeIf(executor.id::equals);
            executors.values().forEach(other -> later(other.loop, () -> other.network.gone(executor.id)));
        });
    }

    /** A new dataset id. Ids of unpersisted datasets are not used again. */
    int nextDataset() {
        return ++datasets;
    }

    void persist(int dataset, int partitions, StorageLevel level) {
        locations.persist(dataset, "", partitions, level);
    }

    void unpersist(int dataset) {
        locations.unpersist(dataset);
        unpersisted(dataset);
        driver.execute(() -> copying.forgetDataset(dataset));
    }

    /** Whether a block may be cached nowhere: it was never cached, or its only copy was lost in a crash. */
    boolean mayBeMissing(BlockId block) {
        return !safe.contains(block);
    }

    void settle() {
        simulation.runFor(Duration.ofMinutes(2));
    }

    /** Requires that the blocks on the executors are those that the driver knows. */
    void requireAgreement(Set<Integer> datasets, int partitions) {
        Map<BlockId, Set<String>> actual = new LinkedHashMap<>();
        Map<BlockId, Set<String>> known = new LinkedHashMap<>();
        for (int dataset : datasets) {
            for (int partition = 0; partition < partitions; partition++) {
                BlockId id = new BlockId(dataset, partition);
                Set<String> on = new TreeSet<>();
                for (Executor each : executors.values()) {
                    each.elements(id).ifPresent(elements -> {
                        assertEquals(expected(id), elements, () -> "seed " + simulation.seed() + ", " + id);
                        on.add(each.id.value());
                    });
                }
                actual.put(id, on);
                known.put(id, new TreeSet<>(locations.holders(dataset, partition)));
            }
        }
        assertEquals(actual, known, () -> "seed " + simulation.seed());
    }

    @Override
    public List<MapOutputId> on(ExecutorId executor) {
        return outputs.entrySet().stream()
                .filter(entry -> entry.getValue().equals(executor))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public void moved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
        assertTrue(outputs.replace(output, from, to), () -> output + " is on another executor");
    }

    @Override
    public void close() {
        List.copyOf(executors.values()).forEach(each -> each.plane.close());
    }

    /** One executor. */
    final class Executor {
        final ExecutorId id;
        final SimulatedProcess process;
        final EventLoop loop;
        final DataPlane plane;
        final RemoteShuffleReader network;
        private final String address;
        private final RemoteCachedBlocks cachedBlocks;
        private final MapOutputReceiver mapOutputs;
        private boolean alive = true;

        private Executor(ExecutorId id, String host) {
            this.id = id;
            this.process = simulation.process(id.value());
            this.loop = process.loop("executor");
            this.address = id + ":" + PORT;
            Settings own = settings.with(
                    "test", "hearth.local.dir", directory.resolve(id.value()).toString());
            ProcessMemory memory = new ProcessMemory(HEAP_BYTES);
            UserObjectSerializer objects = new UserObjectSerializer(ReplicationWorld.class.getClassLoader());
            this.plane = new DataPlane(objects, own, () -> memory, loop.ticker(), false);
            var scope = process.env(id.value(), PORT);
            this.network = new RemoteShuffleReader(id, host, id.value(), own, scope, loop, plane::shuffles);
            this.cachedBlocks = new RemoteCachedBlocks(network, plane::kept, loop);
            this.mapOutputs = new MapOutputReceiver(network, loop, loop);
            plane.onBlocks(status -> report(() -> changed(status)));
            CopyServer.open(scope, plane::kept, plane::shuffles);
        }

        private void report(Runnable message) {
            if (alive) {
                later(driver, () -> {
                    if (executors.containsKey(id)) {
                        message.run();
                    }
                });
            }
        }

        private void changed(BlockStatus status) {
            if (locations.changed(id.value(), "host", HEAP_BYTES, status)) {
                copying.blockCached(status.block());
            }
        }

        private void copy(ReplicateBlock order) {
            cachedBlocks
                    .keep(order)
                    .whenComplete((nothing, failure) -> report(() -> copying.copied(
                            new BlockReplicated(id, order.dataset(), order.partition(), described(failure)))));
        }

        private void copy(MigrateMapOutput order) {
            mapOutputs
                    .take(order)
                    .whenComplete((nothing, failure) -> report(() -> copying.copied(
                            new MapOutputMigrated(id, order.shuffle(), order.map(), described(failure)))));
        }

        private String described(@Nullable Throwable failure) {
            return failure == null ? "" : Failures.describe(failure);
        }

        /** Caches a block like a task that computes it. The elements follow from the block id. */
        void compute(BlockId block, StorageLevel level) {
            BlockWriter draft = plane.kept().begin(block, level);
            new CachingIterator(expected(block).iterator(), draft).forEachRemaining(element -> {});
            if (draft.publish()) {
                safe.add(block);
            }
        }

        boolean has(BlockId block) {
            return plane.kept().view(block).isPresent();
        }

        /** Writes a map output and reports it to the driver. */
        void write(MapOutputId output, int pairs) throws CorruptFileException {
            plane.shuffles().open(output.shuffle(), MAPS, READERS);
            TaskMemory memory = plane.memory().open(output.map(), () -> {});
            try (ShuffleWriter writer = new ShuffleWriter(
                    plane.shuffles(), memory, output.shuffle(), output.map(), READERS, Optional.empty())) {
                for (int i = 0; i < pairs; i++) {
                    writer.pair(i, output.map());
                }
                plane.shuffles().publish(writer.finish());
            } finally {
                memory.close();
            }
            outputs.put(output, id);
        }

        /** The keys of an output for all readers, sorted. */
        List<Object> keys(MapOutputId output) throws CorruptFileException {
            List<Object> keys = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                ShuffleSegment block = plane.shuffles()
                        .block(output.shuffle(), output.map(), reader)
                        .orElseThrow();
                block.send((key, value) -> keys.add(Objects.requireNonNull(key)), new LazyRecordReader(plane::records));
            }
            keys.sort(Comparator.comparing(Integer.class::cast));
            return keys;
        }

        /** The elements of a block, if it is cached here. */
        Optional<List<@Nullable Object>> elements(BlockId block) {
            return plane.kept().read(block, StorageLevel.NONE, () -> {}).map(ReplicationWorld::all);
        }
    }

    private static List<@Nullable Object> all(BlockIterator elements) {
        List<@Nullable Object> all = new ArrayList<>();
        elements.forEachRemaining(all::add);
        return all;
    }

    /** Numbers and strings: thousands of elements in every third partition, none or a few in the others. */
    static List<@Nullable Object> expected(BlockId block) {
        int size = block.partition() % 3 == 0 ? 3000 : block.partition() % 3 == 1 ? 0 : 7;
        return new ArrayList<>(IntStream.range(0, size)
                .mapToObj(i -> i % 2 == 0 ? (Object) (i * block.dataset()) : "text " + i)
                .toList());
    }
}
