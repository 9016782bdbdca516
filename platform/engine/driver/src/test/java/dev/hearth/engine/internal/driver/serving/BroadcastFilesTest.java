package dev.hearth.engine.internal.driver.serving;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.disk.LocalTemporaryFiles;
import dev.hearth.engine.internal.fetch.RemoteBroadcasts;
import dev.hearth.engine.internal.fetch.RemoteShuffleReader;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a broadcast value that executors fetch, in virtual time and with real files. */
class BroadcastFilesTest {
    private static final long ID = 7;
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int LONGS = 50_000;
    private static final Duration BOUND = Duration.ofHours(1);

    @TempDir
    Path scratch;

    private final Simulation simulation = new Simulation(1);
    private final UserObjectSerializer objects = new UserObjectSerializer(BroadcastFilesTest.class.getClassLoader());
    private final List<String> servedByDriver = new ArrayList<>();
    private final Map<ExecutorId, Reader> readers = new LinkedHashMap<>();
    private final long[] value = new Random(1).longs(LONGS).toArray();
    private LocalTemporaryFiles driverFiles;
    private BroadcastServer offered;
    private int chunks;

    /** An executor whose task may be killed. */
    private final class Reader implements ShuffleReadContext {
        private final ExecutorId self;
        private final SimulatedProcess process;
        private final RpcEnv rpc;
        private final LocalTemporaryFiles files;
        private final RemoteBroadcasts broadcasts;
        private int waitsLeft = Integer.MAX_VALUE;

        Reader(String name, int port, boolean onDriversHost) {
            self = new ExecutorId(name);
            process = simulation.process(name);
            rpc = process.env("host-" + name, port);
            files = files(name);
            Settings settings = Settings.empty()
                    .with("test", Map.of("hearth.shuffle.readHostLocalDisk", String.valueOf(onDriversHost)));
            RemoteShuffleReader network =
                    new RemoteShuffleReader(self, "host-" + name, name, settings, rpc, process.loop(name), () -> {
                        throw new AssertionError("no shuffle");
                    });
            broadcasts = new RemoteBroadcasts(network, () -> files, new RpcAddress("driver", 1));
            broadcasts.serve(rpc);
            readers.put(self, this);
        }

        Object read() {
            BroadcastAnswer answer = await(offered.offer(ID, value, self), "answer");
            return read(answer.file().orElseThrow());
        }

        Object read(BroadcastFile file) {
            chunks = file.chunks();
            return broadcasts.read(ID, file, this, (in, bytes) -> objects.read(in, bytes, "value"));
        }

        @Override
        public TaskMemory memory() {
            throw new AssertionError("not expected");
        }

        @Override
        public <T> T await(CompletionStage<T> answer, String subject) {
            if (waitsLeft-- == 0) {
                throw ErrorCode.APPLICATION_KILLED.failure(subject + ": killed");
            }
            CompletableFuture<T> waiting = answer.toCompletableFuture();
            assertTrue(simulation.runUntil(waiting::isDone, BOUND), subject);
            try {
                return waiting.join();
            } catch (RuntimeException failure) {
                throw Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
            }
        }
    }

    @BeforeEach
    void open() {
        driverFiles = files("driver");
        RpcEnv rpc = simulation.process("driver").env("driver", 1);
        offered = new BroadcastServer(
                objects,
                () -> driverFiles,
                CHUNK_BYTES,
                Runnable::run,
                executor -> Optional.ofNullable(readers.get(executor))
                        .map(reader -> new BlockServerAddress(
                                executor,
                                "host",
                                reader.rpc.address().orElseThrow().toString())));
        rpc.streams().serve("broadcast", name -> {
            Optional<StreamContent> chunk = offered.chunk(name);
            chunk.ifPresent(found -> servedByDriver.add(name));
            return chunk;
        });
    }

    @AfterEach
    void close() {
        readers.values().forEach(reader -> reader.files.close());
        driverFiles.close();
    }

    private LocalTemporaryFiles files(String name) {
        Path directory = scratch.resolve(name);
        Settings settings = Settings.empty().with("test", Map.of("hearth.local.dir", directory.toString()));
        return LocalTemporaryFiles.of(DiskSettings.from(settings), new FakeTicker());
    }

    private void assertValue(Object read) {
        assertArrayEquals(value, (long[]) read);
    }

    private static HearthException refusal(Runnable action) {
        return assertThrows(HearthException.class, action::run);
    }

    @Test
    void readsTheDriversFileOnTheSameMachine() {
        Reader near = new Reader("a", 2, true);
        assertValue(near.read());
        assertEquals(List.of(), servedByDriver);
        assertEquals(0, near.files.bytes());
    }

    @Test
    void sendsSmallValuesInline() {
        BroadcastAnswer answer = offered.offer(8, "small", new ExecutorId("a"))
                .toCompletableFuture()
                .join();
        assertEquals("small", objects.read(answer.value(), "value"));
        assertEquals(Optional.empty(), answer.file());
        assertEquals(0, driverFiles.bytes());
    }

    @Test
    void fetchesChunksFromExecutorsThatHaveThem() {
        assertValue(new Reader("a", 2, false).read());
        assertEquals(chunks, servedByDriver.size(), "each once");
        assertValue(new Reader("b", 3, false).read());
        assertEquals(chunks, servedByDriver.size(), "all from the first executor");
    }

    @Test
    void fetchesChunksFromTheDriverIfAnExecutorLacksThem() {
        Reader first = new Reader("a", 2, false);
        BroadcastFile named = first.await(offered.offer(ID, value, first.self), "answer")
                .file()
                .orElseThrow();
        assertValue(new Reader("b", 3, false).read());
        assertEquals(chunks, servedByDriver.size());
        assertValue(first.read(named));
    }

    @Test
    void fallsBackToTheDriverWhenAnExecutorIsLost() {
        Reader first = new Reader("a", 2, false);
        assertValue(first.read());
        first.process.crash();
        assertValue(new Reader("b", 3, false).read());
        assertEquals(2 * chunks, servedByDriver.size());
    }

    @Test
    void leavesFetchedChunksToTheNextTaskWhenItIsKilled() {
        Reader reader = new Reader("a", 2, false);
        reader.waitsLeft = 1 + 5;
        assertEquals(ErrorCode.APPLICATION_KILLED, Failures.code(refusal(reader::read)));
        simulation.runFor(Duration.ofSeconds(1));
        long persisted = reader.files.bytes();
        assertEquals(5L * CHUNK_BYTES, persisted, "the chunks that no task needs are removed");
        reader.waitsLeft = Integer.MAX_VALUE;
        int before = servedByDriver.size();
        assertValue(reader.read());
        assertEquals(chunks - 5, servedByDriver.size() - before);
    }

    @Test
    void detectsThatTheDriversFileIsCorrupt() throws IOException {
        Reader near = new Reader("a", 2, true);
        BroadcastFile file =
                near.await(offered.offer(ID, value, near.self), "answer").file().orElseThrow();
        flip(Path.of(file.file()), file.bytes() / 2);
        assertEquals(ErrorCode.FILE_DAMAGED, Failures.code(refusal(() -> near.read(file))));
        assertEquals(0, near.files.bytes(), "no corrupt chunk is stored or served");
        flip(Path.of(file.file()), file.bytes() / 2);
        assertValue(near.read(file));
    }

    @Test
    void asksTheDriverAloneWhenTheChunksOfAnExecutorAreCorrupt() throws IOException {
        Reader first = new Reader("a", 2, false);
        assertValue(first.read());
        try (Stream<Path> held = Files.walk(scratch.resolve("a"))) {
            for (Path chunk : held.filter(Files::isRegularFile).toList()) {
                if (Files.size(chunk) >= CHUNK_BYTES) {
                    flip(chunk, CHUNK_BYTES / 2);
                }
            }
        }
        Reader second = new Reader("b", 3, false);
        assertValue(second.read());
        assertEquals(2 * chunks, servedByDriver.size());
        Reader third = new Reader("c", 4, false);
        assertValue(third.read());
    }

    @Test
    void removesTheFilesOfDestroyedBroadcasts() {
        Reader far = new Reader("a", 2, false);
        assertValue(far.read());
        Path file = Path.of(far.await(offered.offer(ID, value, far.self), "answer")
                .file()
                .orElseThrow()
                .file());
        assertTrue(Files.exists(file));
        far.broadcasts.drop(ID);
        assertTrue(offered.drop(ID));
        assertFalse(offered.drop(ID));
        assertFalse(Files.exists(file));
        assertEquals(0, far.files.bytes());
        assertEquals(0, driverFiles.bytes());
    }

    @Test
    void retriesAFailedSerialisation() {
        LocalTemporaryFiles whole = driverFiles;
        driverFiles = files("closed");
        driverFiles.close();
        Reader near = new Reader("a", 2, true);
        assertEquals(ErrorCode.CONTEXT_CLOSED, Failures.code(refusal(near::read)));
        driverFiles = whole;
        assertValue(near.read());
    }

    private static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(position);
            int was = open.read();
            open.seek(position);
            open.write(was ^ 1);
        }
    }

    /** Each question costs the same however many executors asked before, and no lost executor is named. */
    @Test
    void namesTheLatestLiveExecutorsThatAsked() {
        int named = 32;
        List<ExecutorId> looked = new ArrayList<>();
        Set<ExecutorId> lost = new LinkedHashSet<>();
        BroadcastServer many = new BroadcastServer(objects, () -> driverFiles, CHUNK_BYTES, Runnable::run, executor -> {
            looked.add(executor);
            return lost.contains(executor)
                    ? Optional.empty()
                    : Optional.of(new BlockServerAddress(executor, "host", "host:1"));
        });
        List<ExecutorId> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ExecutorId asker = new ExecutorId("asker-" + i);
            looked.clear();
            List<ExecutorId> holders =
                    many.offer(ID, value, asker).toCompletableFuture().join().file().orElseThrow().holders().stream()
                            .map(BlockServerAddress::executor)
                            .toList();
            assertEquals(expected, holders);
            assertTrue(looked.size() <= named, () -> looked.size() + " looks");
            expected.add(asker);
            if (expected.size() > named) {
                expected.remove(0);
            }
            if (i % 7 == 0) {
                lost.add(asker);
                expected.remove(asker);
            }
        }
        assertTrue(many.drop(ID));
    }
}
