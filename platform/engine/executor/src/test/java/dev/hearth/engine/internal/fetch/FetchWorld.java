package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.Partitioner;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.shuffle.ShuffleWriter;
import dev.hearth.engine.internal.shuffle.TestingShuffleServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Executors on a simulated network with real files, and the expected content of one shuffle. Used by one
 * thread; closed by the test.
 */
final class FetchWorld implements AutoCloseable {
    static final int SHUFFLE = 7;
    static final FetchSettings SETTINGS =
            new FetchSettings(48 << 20, 1024, 256, 200 << 20, true, 3, Duration.ofSeconds(5));

    private static final long MEMORY_BYTES = 512L << 20;
    private static final Duration PATIENCE = Duration.ofHours(2);

    final Simulation simulation;
    private final Path directory;
    private final int readers;
    private final Random letters; // that hardly compress
    private final List<Executor> executors = new ArrayList<>();
    private final Map<Integer, Executor> byMap = new TreeMap<>();
    private final Map<Integer, List<List<@Nullable Object>>> written = new TreeMap<>(); // by map task and reducer

    FetchWorld(long seed, Path directory, int readers) {
        this.simulation = new Simulation(seed);
        this.letters = new Random(seed);
        this.directory = directory;
        this.readers = readers;
    }

    /** One executor; the first one is the reader. */
    final class Executor {
        final SimulatedProcess process;
        final BlockServerAddress holder;
        final MeteredScope scope;
        final TestingShuffleServices parts;
        final ShuffleStore store;

        Executor(String name, String host, String bound) {
            process = simulation.process(name);
            RpcEnv env = process.env(bound, 0);
            scope = new MeteredScope(env.scope("app", Optional.empty()));
            String address = env.address().map(RpcAddress::toString).orElse("");
            holder = new BlockServerAddress(new ExecutorId(name), host, address);
            parts = new TestingShuffleServices(MEMORY_BYTES, directory.resolve(name)) {
                @Override
                public boolean isServed() {
                    return true;
                }
            };
            store = new ShuffleStore(parts);
            BlockServer.open(scope, () -> store);
        }

        /** Writes a map output: a number of pairs for each reducer, with values of {@code letters} letters. */
        void write(int maps, int map, int pairs, int letters) throws CorruptFileException {
            store.open(SHUFFLE, maps, readers);
            TaskMemory memory = parts.task();
            List<List<@Nullable Object>> expected = new ArrayList<>();
            for (int reader = 0; reader < readers; reader++) {
                expected.add(new ArrayList<>());
            }
            try (ShuffleWriter writer =
                    new ShuffleWriter(store, memory, SHUFFLE, map, readers, Optional.of(new Modulo(readers)))) {
                for (int at = 0; at < pairs * readers; at++) {
                    String value = map + "-" + at + "-" + letters(letters);
                    writer.pair(at, value);
                    expected.get(at % readers).addAll(List.of(at, value));
                }
                store.publish(writer.finish());
            }
            assertEquals(0, memory.close());
            byMap.put(map, this);
            written.put(map, expected);
        }

        private String letters(int count) {
            return letters.ints(count, ' ', '~')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }

        List<Path> files() {
            return parts.segments();
        }
    }

    /** Partitioner for integer keys. */
    private record Modulo(int partitions) implements Partitioner {
        private static final long serialVersionUID = 1L;

        @Override
        public int partition(@Nullable Object key) {
            return ((Integer) Objects.requireNonNull(key)) % partitions;
        }
    }

    Executor executor(String name, String host) {
        return executor(name, host, host);
    }

    /** An executor on {@code host} that its peers reach at another address. */
    Executor executor(String name, String host, String bound) {
        Executor made = new Executor(name, host, bound);
        executors.add(made);
        return made;
    }

    Executor executor(String name) {
        return executor(name, "host-of-" + name);
    }

    Executor reader() {
        return executors.get(0);
    }

    Executor holder(int map) {
        return Objects.requireNonNull(byMap.get(map));
    }

    int maps() {
        return byMap.size();
    }

    /** The shuffle reader of the reading executor. */
    RemoteShuffleReader shuffles(FetchSettings settings) {
        Executor self = reader();
        RemoteShuffleReader shuffles = new RemoteShuffleReader(
                self.holder.executor(),
                self.holder.host(),
                RpcAddress.parse(self.holder.address()).map(RpcAddress::host).orElse(""),
                settings,
                self.scope,
                Optional.empty(),
                Optional.empty(),
                self.process.loop("executor"),
                () -> self.store);
        shuffles.define(places());
        return shuffles;
    }

    /** The locations of all outputs, as the driver sends them. */
    UpdateLocations places() {
        byte[] holderOf = new byte[byMap.size()];
        byMap.forEach((map, executor) -> holderOf[map] = (byte) (executors.indexOf(executor) + 1));
        List<BlockServerAddress> holders =
                executors.stream().map(executor -> executor.holder).toList();
        return new UpdateLocations(SHUFFLE, holderOf.length, holders, Bytes.owning(holderOf), 0, 0);
    }

    /** All pairs written for a reducer, in the order of the map tasks: keys and values in turn. */
    List<@Nullable Object> expected(int reader) {
        List<@Nullable Object> all = new ArrayList<>();
        written.values().forEach(byReader -> all.addAll(byReader.get(reader)));
        return all;
    }

    /** Reading task of this world: its memory, and the events that run while it waits. */
    final class Task implements ShuffleReadContext, AutoCloseable {
        private final TaskMemory memory = reader().parts.task();

        @Override
        public TaskMemory memory() {
            return memory;
        }

        @Override
        public <T> T await(CompletionStage<T> answer, String subject) {
            CompletableFuture<T> arriving = answer.toCompletableFuture();
            assertTrue(simulation.runUntil(arriving::isDone, PATIENCE), () -> subject + " never answers");
            try {
                return arriving.getNow(null);
            } catch (RuntimeException failure) {
                HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
                throw new HearthException(inner.code(), String.valueOf(inner.getMessage()), inner);
            }
        }

        @Override
        public void close() {
            assertEquals(0, memory.close(), "memory that was not given back");
        }
    }

    /** Reads all segments, as a task does. */
    List<@Nullable Object> read(RemoteShuffleReader shuffles, int reader) throws Exception {
        List<@Nullable Object> pairs = new ArrayList<>();
        try (Task task = new Task();
                ShuffleInput blocks = shuffles.read(SHUFFLE, reader, task)) {
            for (Optional<ShuffleSegment> next = blocks.next(); next.isPresent(); next = blocks.next()) {
                try {
                    pairs.addAll(reader().parts.pairs(next.get()));
                } catch (CorruptFileException damage) {
                    throw blocks.damaged(damage);
                }
            }
        } finally {
            assertTrue(reader().scope.underWay.isEmpty(), "a transfer outlives its task");
        }
        return pairs;
    }

    /** Reads and returns the expected failure. */
    FetchFailedException failure(RemoteShuffleReader shuffles, int reader) throws Exception {
        try {
            List<@Nullable Object> pairs = read(shuffles, reader);
            throw new AssertionError(pairs.size() / 2 + " pairs were read (expected: a failure)");
        } catch (FetchFailedException missing) {
            return missing;
        }
    }

    static void flip(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 16; at < bytes.length; at += 64) {
            bytes[at] ^= 8;
        }
        Files.write(file, bytes);
    }

    Map<Integer, Executor> holders() {
        return new LinkedHashMap<>(byMap);
    }

    @Override
    public void close() {
        executors.forEach(executor -> executor.parts.close());
    }
}
