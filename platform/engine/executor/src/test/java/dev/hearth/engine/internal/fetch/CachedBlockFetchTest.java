package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.executor.DataPlane;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ReplicationProtocol;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.CachedBlockAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.CachedBlockQuestion;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.PageAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.PageQuestion;
import dev.hearth.engine.internal.storage.BlockId;
import dev.hearth.engine.internal.storage.BlockInfo;
import dev.hearth.engine.internal.storage.BlockWriter;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that is cancelled at any step. */
class CachedBlockFetchTest {
    private static final BlockId BLOCK = new BlockId(1, 0);
    private static final long HEAP_BYTES = 1L << 30;
    private static final int ELEMENTS = 10_000;
    private static final int STEPS_MAX = 10;
    private static final Duration BOUND = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private final Simulation simulation = new Simulation(1);
    private final Queue<Runnable> work = new ArrayDeque<>();

    private DataPlane plane(String name, SimulatedProcess process) {
        Settings settings = Settings.empty()
                .with("test", "hearth.local.dir", directory.resolve(name).toString());
        ProcessMemory memory = new ProcessMemory(HEAP_BYTES);
        UserObjectSerializer objects = new UserObjectSerializer(CachedBlockFetchTest.class.getClassLoader());
        return new DataPlane(objects, settings, () -> memory, process.loop(name).ticker(), false);
    }

    @Test
    void leavesNoFileWhenAbortedAtAnyStep() {
        SimulatedProcess giving = simulation.process("giver");
        RpcEnv serving = giving.env("giver", 1);
        SimulatedProcess taking = simulation.process("taker");
        RpcEnv reading = taking.env("taker", 2);
        DataPlane there = plane("giver", giving);
        DataPlane here = plane("taker", taking);
        CopyServer.open(serving, there::kept, there::shuffles);
        keep(there);
        BlockServerAddress holder = new BlockServerAddress(new ExecutorId("giver"), "giver", "giver:1");
        FetchClient holders = new FetchClient(reading, Optional.empty(), taking.loop("loop"), FetchWorld.SETTINGS);
        boolean isWhole = false;
        for (int steps = 0; !isWhole; steps++) {
            assertTrue(steps < STEPS_MAX, "it comes to an end");
            CachedBlockFetch copy = new CachedBlockFetch(
                    holders,
                    holder,
                    BLOCK,
                    work::add,
                    () -> here.kept().receive(BLOCK, StorageLevel.DISK_ONLY),
                    here.files(),
                    false);
            var done = copy.start();
            simulation.runFor(BOUND);
            for (int step = 0; step < steps && !work.isEmpty(); step++) {
                work.remove().run();
                simulation.runFor(BOUND);
            }
            isWhole = done.isDone();
            copy.abort();
            simulation.runFor(BOUND);
            while (!work.isEmpty()) {
                work.remove().run();
                simulation.runFor(BOUND);
            }
            assertEquals(0, here.files().bytes(), "aborted after step " + steps);
        }
        here.close();
        there.close();
    }

    /** Containers may have the same host name and separate disks. */
    @Test
    void fetchesAFileOfASameNamedHostWithOtherDisks() {
        SimulatedProcess giving = simulation.process("giver");
        RpcEnv serving = giving.env("giver", 1);
        SimulatedProcess taking = simulation.process("taker");
        RpcEnv reading = taking.env("taker", 2);
        DataPlane there = plane("giver", giving);
        DataPlane here = plane("taker", taking);
        keep(there);
        BlockInfo view = there.kept().view(BLOCK).orElseThrow();
        FileSegment place = view.fileSegment().orElseThrow();
        FileSegment unseen = new FileSegment(
                directory.resolve("not-here").toString(), place.id(), place.part(), place.offset(), place.bytes());
        Receiver receiver = Receiver.of(ReplicationProtocol.ENDPOINT)
                .answer(
                        CachedBlockQuestion.class,
                        (question, peer) ->
                                new CachedBlockAnswer(true, view.version(), view.records(), Optional.of(unseen)))
                .build();
        serving.register(ReplicationProtocol.ENDPOINT, ReplicationProtocol.PROTOCOL, giving.loop("copies"), receiver);
        serving.streams().serve(ReplicationProtocol.KEPT, name -> Optional.of(BlockServer.content(place)));
        FetchClient holders = new FetchClient(reading, Optional.empty(), taking.loop("loop"), FetchWorld.SETTINGS);
        CachedBlockFetch copy = new CachedBlockFetch(
                holders,
                new BlockServerAddress(new ExecutorId("giver"), "giver", "giver:1"),
                BLOCK,
                work::add,
                () -> here.kept().receive(BLOCK, StorageLevel.DISK_ONLY),
                here.files(),
                true);
        var done = copy.start();
        for (int step = 0; step < STEPS_MAX; step++) {
            simulation.runFor(BOUND);
            while (!work.isEmpty()) {
                work.remove().run();
            }
        }
        assertTrue(done.isDone());
        List<Object> elements = new ArrayList<>();
        here.kept().lend(done.join(), () -> {}).forEachRemaining(elements::add);
        assertEquals(ELEMENTS, elements.size());
        assertEquals(0, here.files().bytes(), "it is borrowed");
        here.close();
        there.close();
    }

    @Test
    void refusesABlockWithFewerElementsThanItsExecutorSaid() {
        SimulatedProcess giving = simulation.process("giver");
        RpcEnv serving = giving.env("giver", 1);
        SimulatedProcess taking = simulation.process("taker");
        RpcEnv reading = taking.env("taker", 2);
        DataPlane here = plane("taker", taking);
        Receiver receiver = Receiver.of(ReplicationProtocol.ENDPOINT)
                .answer(
                        CachedBlockQuestion.class,
                        (question, peer) -> new CachedBlockAnswer(true, 1, 5, Optional.empty()))
                .answer(
                        PageQuestion.class,
                        (question, peer) -> new PageAnswer(true, Bytes.owning(new byte[] {1, 2, 3}), 3, 1, 0, true))
                .build();
        serving.register(ReplicationProtocol.ENDPOINT, ReplicationProtocol.PROTOCOL, giving.loop("copies"), receiver);
        CachedBlockFetch copy = new CachedBlockFetch(
                new FetchClient(reading, Optional.empty(), taking.loop("loop"), FetchWorld.SETTINGS),
                new BlockServerAddress(new ExecutorId("giver"), "giver", "giver:1"),
                BLOCK,
                Runnable::run,
                () -> here.kept().receive(BLOCK, StorageLevel.MEMORY_AND_DISK),
                here.files(),
                false);
        var done = copy.start();
        simulation.runFor(BOUND);
        assertTrue(done.isCompletedExceptionally());
        here.close();
    }

    private static void keep(DataPlane plane) {
        BlockWriter kept = plane.kept().begin(BLOCK, StorageLevel.DISK_ONLY);
        for (int i = 0; i < ELEMENTS; i++) {
            kept.add("element " + i);
        }
        kept.finish();
        assertTrue(kept.publish());
    }
}
