package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.fetch.RemoteBroadcasts;
import dev.hearth.engine.internal.fetch.RemoteShuffleReader;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several tasks of one executor read one broadcast value. Threads are real; the test controls which waits for which.
 */
class RemoteBroadcastValuesTest {
    private static final ExecutorId SELF = new ExecutorId("0");
    private static final long BOUND_SECONDS = 30;

    private final UserObjectSerializer objects =
            new UserObjectSerializer(RemoteBroadcastValuesTest.class.getClassLoader());
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch second = new CountDownLatch(1); // waits for the first
    private final RemoteBroadcastValues values = new RemoteBroadcastValues(objects, driver(), SELF, noFiles());

    private EndpointRef driver() {
        return new EndpointRef() {
            @Override
            public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
                int number = asked.incrementAndGet();
                BroadcastAnswer value =
                        new BroadcastAnswer(objects.write("value " + number, "value"), Optional.empty());
                return new AbortableAsk<>(CompletableFuture.completedStage(answer.cast(value)), () -> {});
            }

            @Override
            public void send(Record message) {
                throw new AssertionError("not told anything");
            }
        };
    }

    private static EndpointRef answering(BroadcastAnswer value) {
        return new EndpointRef() {
            @Override
            public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
                return new AbortableAsk<>(CompletableFuture.completedStage(answer.cast(value)), () -> {});
            }

            @Override
            public void send(Record message) {
                throw new AssertionError("not told anything");
            }
        };
    }

    private static RemoteBroadcasts noFiles() {
        SimulatedProcess process = new Simulation(1).process("executor");
        RpcEnv rpc = process.env("executor", 1);
        RemoteShuffleReader network =
                new RemoteShuffleReader(SELF, "host", "host", Settings.empty(), rpc, process.loop("executor"), () -> {
                    throw new AssertionError("no shuffle");
                });
        return new RemoteBroadcasts(
                network,
                () -> {
                    throw new AssertionError("no file");
                },
                new RpcAddress("driver", 1));
    }

    /** Task that runs an action before it gets an answer. */
    private record Task(Runnable before) implements ShuffleReadContext {
        @Override
        public TaskMemory memory() {
            throw new AssertionError("not asked for");
        }

        @Override
        public <T> T await(CompletionStage<T> answer, String subject) {
            before.run();
            return answer.toCompletableFuture().join();
        }
    }

    private CompletableFuture<Object> begin() {
        return CompletableFuture.supplyAsync(() -> values.value(1, new Task(second::countDown)));
    }

    private void waitForTheSecond() {
        try {
            assertTrue(second.await(BOUND_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException told) {
            throw new AssertionError(told);
        }
    }

    private static Object result(CompletableFuture<Object> coming) throws Exception {
        return coming.get(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void readsOnceForAllWaitingTasks() throws Exception {
        CompletableFuture<CompletableFuture<Object>> other = new CompletableFuture<>();
        Object first = values.value(1, new Task(() -> {
            other.complete(begin());
            waitForTheSecond();
        }));
        assertSame(first, result(other.join()));
        assertSame(first, values.value(1, new Task(() -> {})));
        assertEquals(1, asked.get());
    }

    @Test
    void continuesWithAnotherTaskWhenTheFirstIsKilled() throws Exception {
        CompletableFuture<CompletableFuture<Object>> other = new CompletableFuture<>();
        assertThrows(
                TaskKilled.class,
                () -> values.value(1, new Task(() -> {
                    other.complete(begin());
                    waitForTheSecond();
                    throw new TaskKilled("not wanted");
                })));
        assertEquals("value 2", result(other.join()));
    }

    @Test
    void failsAllWaitingTasksAndIsReadAgainByTheNext() {
        CompletableFuture<CompletableFuture<Object>> other = new CompletableFuture<>();
        HearthException failure = assertThrows(
                HearthException.class,
                () -> values.value(1, new Task(() -> {
                    other.complete(begin());
                    waitForTheSecond();
                    throw ErrorCode.STREAM_MISSING.failure("value: is gone");
                })));
        assertEquals(ErrorCode.STREAM_MISSING, Failures.code(failure));
        Throwable told = assertThrows(Exception.class, () -> result(other.join()));
        assertEquals(ErrorCode.STREAM_MISSING, Failures.code(told));
        assertEquals("value 2", values.value(1, new Task(() -> {})));
    }

    @Test
    void forgetsDestroyedValues() {
        Object first = values.value(1, new Task(() -> {}));
        values.drop(1);
        assertNotEquals(first, values.value(1, new Task(() -> {})));
    }

    /** The value is destroyed while the driver is asked. The answer is then dropped, however the reading task ends. */
    @Test
    void leavesNoFileOfWhatWasDestroyedBeforeItsReaderWasToldToEnd(@TempDir Path directory) {
        int chunks = 8;
        int chunkBytes = 1_000;
        Simulation simulation = new Simulation(1);
        SimulatedProcess driver = simulation.process("driver");
        driver.env("driver", 1)
                .streams()
                .serve(
                        BlockProtocol.BROADCASTS,
                        name -> StreamProvider.bytes(Bytes.owning(new byte[chunkBytes]))
                                .open(""));
        SimulatedProcess process = simulation.process("executor");
        RpcEnv rpc = process.env("executor", 2);
        RemoteShuffleReader network =
                new RemoteShuffleReader(SELF, "host", "host", Settings.empty(), rpc, process.loop("executor"), () -> {
                    throw new AssertionError("no shuffle");
                });
        Settings settings = Settings.empty().with("test", "hearth.local.dir", directory.toString());
        try (LocalTemporaryFiles files = LocalTemporaryFiles.of(
                DiskSettings.from(settings), process.loop("ticker").ticker())) {
            RemoteBroadcasts broadcasts = new RemoteBroadcasts(network, () -> files, new RpcAddress("driver", 1));
            BroadcastFile file = new BroadcastFile(
                    directory.resolve("driver").toString(), (long) chunks * chunkBytes, chunkBytes, 0, List.of());
            RemoteBroadcastValues read = new RemoteBroadcastValues(
                    objects, answering(new BroadcastAnswer(Bytes.EMPTY, Optional.of(file))), SELF, broadcasts);
            AtomicInteger waits = new AtomicInteger();
            assertThrows(
                    TaskKilled.class,
                    () -> read.value(1, new Task(() -> {
                        simulation.runFor(Duration.ofMinutes(1));
                        switch (waits.getAndIncrement()) {
                            case 0 -> read.drop(1);
                            case 1 -> {} // a chunk has arrived
                            default -> throw new TaskKilled("not wanted");
                        }
                    })));
            simulation.runFor(Duration.ofMinutes(1));
            assertEquals(3, waits.get());
            assertEquals(0, files.bytes());
        }
    }
}
