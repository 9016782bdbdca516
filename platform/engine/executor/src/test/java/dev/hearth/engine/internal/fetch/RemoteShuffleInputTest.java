package dev.hearth.engine.internal.fetch;

import static dev.hearth.engine.internal.fetch.FetchWorld.SETTINGS;
import static dev.hearth.engine.internal.fetch.FetchWorld.SHUFFLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.fetch.FetchWorld.Executor;
import dev.hearth.engine.internal.memory.Spillable;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.spi.id.ExecutorId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One task reads map outputs of other executors: order, limits, and fetch failures. */
@Timeout(60)
class RemoteShuffleInputTest {
    private static final int READERS = 2;

    @TempDir
    private Path directory;

    private FetchWorld world() {
        return new FetchWorld(1, directory, READERS);
    }

    private static FetchSettings settings(
            long bytesInFlight, int requests, int perAddress, long inMemory, boolean hostDisks) {
        return new FetchSettings(
                bytesInFlight, requests, perAddress, inMemory, hostDisks, SETTINGS.retries(), SETTINGS.retryWait());
    }

    @Test
    void smallSegmentsShareStreamsInTheOrderOfTheMapTasks() throws Exception {
        try (FetchWorld world = world()) {
            List<Executor> all = List.of(world.executor("self"), world.executor("a"), world.executor("b"));
            for (int map = 0; map < 200; map++) {
                all.get(map % 3).write(200, map, map % 5, 10);
            }
            assertEquals(world.expected(1), world.read(world.shuffles(SETTINGS), 1));
            int streams = world.reader().scope.fetched.size();
            assertTrue(streams <= 4, () -> streams + " streams for what two executors have");
        }
    }

    @Test
    void staysWithinItsLimits() throws Exception {
        try (FetchWorld world = world()) {
            List<Executor> all = List.of(world.executor("self"), world.executor("a"), world.executor("b"));
            for (int map = 0; map < 60; map++) {
                all.get(map % 3).write(60, map, 5, 10_000);
            }
            FetchSettings few = settings(400_000, 3, 2, 200 << 20, true);
            RemoteShuffleReader shuffles = world.shuffles(few);
            long most = 0;
            int parts = 0;
            try (FetchWorld.Task task = world.new Task()) {
                ShuffleInput blocks = shuffles.read(SHUFFLE, 0, task);
                while (blocks.next().isPresent()) {
                    parts++;
                    most = Math.max(most, task.memory().peak());
                }
                blocks.close();
            }
            assertEquals(60, parts);
            assertTrue(most <= 400_000, most + " bytes");
            assertTrue(world.reader().scope.underWayMost <= 3, world.reader().scope.underWayMost + " streams at once");
        }
    }

    @Test
    void fetchesNoMoreSegmentsOfOneExecutorAtOnceThanConfigured() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 40; map++) {
                holder.write(40, map, 5, 1_000);
            }
            int perAddress = 3;
            FetchSettings few = settings(48 << 20, 100, perAddress, 200 << 20, true);
            assertEquals(world.expected(0), world.read(world.shuffles(few), 0));
            assertEquals(perAddress, world.reader().scope.segmentsUnderWayMost);
        }
    }

    @Test
    void prefetchesHalfAsMuchAfterItsTaskNeededTheMemory() throws Exception {
        long bytesInFlight = 8 << 20;
        long granularity = 1 << 20; // of the memory that a task reserves
        try (FetchWorld world = world()) {
            world.executor("self");
            List<Executor> all = List.of(world.executor("a"), world.executor("b"));
            for (int map = 0; map < 120; map++) {
                all.get(map % 2).write(120, map, 1, 300_000);
            }
            RemoteShuffleReader shuffles = world.shuffles(settings(bytesInFlight, 100, 100, 200 << 20, true));
            Spillable hungry = wanted -> 0;
            try (FetchWorld.Task task = world.new Task();
                    ShuffleInput blocks = shuffles.read(SHUFFLE, 0, task)) {
                long before = mostReserved(world, blocks, 50);
                assertTrue(before > bytesInFlight / 2 + granularity, before + " bytes");
                long total = world.reader().parts.memory().total();
                task.memory().give(task.memory().take(total, hungry), hungry);
                long after = mostReserved(world, blocks, 50);
                assertTrue(after <= bytesInFlight / 2 + granularity, after + " bytes");
            }
        }
    }

    /** Reads some segments; returns the most memory that was reserved meanwhile. */
    private static long mostReserved(FetchWorld world, ShuffleInput blocks, int segments) throws Exception {
        long most = 0;
        for (int i = 0; i < segments; i++) {
            assertTrue(blocks.next().isPresent());
            most = Math.max(most, world.reader().parts.memory().executionUsed());
        }
        return most;
    }

    @Test
    void discardsPrefetchedSegmentsWhenItsTaskNeedsMemory() throws Exception {
        try (FetchWorld world = world()) {
            List<Executor> all = List.of(world.executor("self"), world.executor("a"), world.executor("b"));
            for (int map = 0; map < 90; map++) {
                all.get(map % 3).write(90, map, 5, 10_000 + map * 200);
            }
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            long total = world.reader().parts.memory().total();
            Spillable hungry = wanted -> 0;
            List<Object> pairs = new ArrayList<>();
            try (FetchWorld.Task task = world.new Task();
                    ShuffleInput blocks = shuffles.read(SHUFFLE, 0, task)) {
                int seen = 0;
                for (Optional<ShuffleSegment> next = blocks.next(); next.isPresent(); next = blocks.next()) {
                    if (++seen % 7 == 0) {
                        long got = task.memory().take(total, hungry);
                        assertTrue(got >= total - SegmentStream.STREAM_BYTES, got + " bytes of " + total);
                        assertTrue(world.reader().scope.underWay.size() <= 1, "others were given up");
                        task.memory().give(got, hungry);
                    }
                    pairs.addAll(world.reader().parts.pairs(next.get()));
                }
            }
            assertEquals(world.expected(0), pairs);
        }
    }

    @Test
    void aSegmentBeyondAllLimitsIsFetched() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 4; map++) {
                holder.write(4, map, 3, 100_000);
            }
            FetchSettings little = settings(1, 1, 1, 200 << 20, true);
            assertEquals(world.expected(0), world.read(world.shuffles(little), 0));
            assertEquals(1, world.reader().scope.underWayMost);
        }
    }

    @Test
    void fetchesLargeSegmentsToDisk() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 6; map++) {
                holder.write(6, map, 3, map % 2 == 0 ? 100_000 : 10);
            }
            RemoteShuffleReader shuffles = world.shuffles(settings(48 << 20, 10, 10, 50_000, true));
            assertEquals(world.expected(0), world.read(shuffles, 0));
            assertEquals(List.of(), world.reader().files(), "copies go with the parts that were read");
            try (FetchWorld.Task task = world.new Task()) {
                ShuffleInput blocks = shuffles.read(SHUFFLE, 0, task);
                assertTrue(blocks.next().isPresent());
                assertFalse(world.reader().files().isEmpty(), "a copy lies on the disk");
                assertTrue(task.memory().peak() < 50_000, () -> task.memory().peak() + " bytes");
                blocks.close();
                assertEquals(List.of(), world.reader().files());
            }
        }
    }

    @Test
    void prefetchesEachLargeSegmentWhileASmallOneIsRead() throws Exception {
        int maps = 8;
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < maps; map++) {
                holder.write(maps, map, 3, map % 2 == 0 ? 100_000 : 10);
            }
            RemoteShuffleReader shuffles = world.shuffles(settings(48 << 20, 10, 10, 50_000, true));
            try (FetchWorld.Task task = world.new Task();
                    ShuffleInput blocks = shuffles.read(SHUFFLE, 0, task)) {
                for (int map = 0; map < maps - 2; map++) {
                    assertTrue(blocks.next().isPresent());
                    String large = "/" + (map + 1);
                    assertTrue(
                            map % 2 == 0
                                    || world.reader().scope.fetched.stream().anyMatch(name -> name.endsWith(large)),
                            () -> "map task" + large + " is not prefetched: " + world.reader().scope.fetched);
                }
            }
        }
    }

    @Test
    void leavesNothingWhenClosedBeforeTheEnd() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 10; map++) {
                holder.write(10, map, 5, 100_000);
            }
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            try (FetchWorld.Task task = world.new Task()) {
                ShuffleInput blocks = shuffles.read(SHUFFLE, 0, task);
                assertTrue(blocks.next().isPresent());
                assertFalse(world.reader().scope.underWay.isEmpty(), "others are on their way");
                blocks.close();
                assertTrue(world.reader().scope.underWay.isEmpty(), "all were given up");
            }
        }
    }

    @Test
    void readsFilesOfItsMachineDirectlyIfTheyExist() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self", "one");
            Executor beside = world.executor("a", "one");
            for (int map = 0; map < 6; map++) {
                beside.write(6, map, 3, 10);
            }
            assertEquals(world.expected(0), world.read(world.shuffles(SETTINGS), 0));
            assertEquals(List.of(), world.reader().scope.fetched);
            assertEquals(
                    world.expected(0),
                    world.read(world.shuffles(settings(48 << 20, 10, 20, 200 << 20, false)), 0),
                    "by streams where files are not to be read");
            assertEquals(1, world.reader().scope.fetched.size());
        }
    }

    @Test
    void readsNoFilesOfAPodOnTheSameHost() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self", "node", "10.0.0.1");
            Executor beside = world.executor("a", "node", "10.0.0.2");
            for (int map = 0; map < 6; map++) {
                beside.write(6, map, 3, 10);
            }
            assertEquals(world.expected(0), world.read(world.shuffles(SETTINGS), 0));
            assertEquals(1, world.reader().scope.fetched.size(), "one stream, although the files are readable here");
        }
    }

    @Test
    void fetchesFromASameNamedHostWithOtherDisks() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self", "one");
            Executor beside = world.executor("a", "one");
            for (int map = 0; map < 6; map++) {
                beside.write(6, map, 3, 10);
            }
            for (Path file : beside.files()) {
                Files.move(file, elsewhere(file));
            }
            beside.scope.disk = RemoteShuffleInputTest::elsewhere; // only this executor has them there
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            assertEquals(world.expected(0), world.read(shuffles, 0));
            List<String> fetched = world.reader().scope.fetched;
            assertEquals(2, fetched.size(), () -> "the first part, then all others: " + fetched);
            assertEquals(world.expected(1), world.read(shuffles, 1));
        }
    }

    private static Path elsewhere(Path file) {
        return file.resolveSibling("elsewhere-" + file.getFileName());
    }

    @Test
    void retriesAnUnreachableExecutorAndThenNamesIt() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            holder.write(1, 0, 3, 10);
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            holder.process.crash();
            long begun = world.simulation.ticker().nanos();
            FetchFailedException missing = world.failure(shuffles, 0);
            assertEquals(Optional.of(new ExecutorId("a")), missing.executor());
            assertEquals("host-of-a", missing.host());
            long waits = SETTINGS.retryWait().multipliedBy(SETTINGS.retries()).toNanos();
            long took = world.simulation.ticker().nanos() - begun;
            assertTrue(took >= waits, () -> took + " ns, so it was not tried " + SETTINGS.retries() + " times");
        }
    }

    @Test
    void survivesAConnectionThatBreaksForAWhile() throws Exception {
        try (FetchWorld world = world()) {
            Executor self = world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 3; map++) {
                holder.write(3, map, 3, 500_000);
            }
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            world.simulation.network().cut(self.process, holder.process);
            world.simulation.schedule(
                    Duration.ofSeconds(7), () -> world.simulation.network().heal(self.process, holder.process));
            assertEquals(world.expected(1), world.read(shuffles, 1));
        }
    }

    @Test
    void theLossOfAnExecutorEndsTheWaitAtOnce() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            holder.write(1, 0, 3, 10);
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            holder.process.pause();
            long begun = world.simulation.ticker().nanos();
            world.simulation.schedule(Duration.ofSeconds(1), () -> shuffles.gone(new ExecutorId("a")));
            FetchFailedException missing = world.failure(shuffles, 0);
            assertEquals(Optional.of(new ExecutorId("a")), missing.executor());
            assertEquals(
                    Duration.ofSeconds(1).toNanos(), world.simulation.ticker().nanos() - begun);
            assertEquals(
                    Optional.of(new ExecutorId("a")), world.failure(shuffles, 0).executor());
            assertEquals(
                    Duration.ofSeconds(1).toNanos(), world.simulation.ticker().nanos() - begun, "and of the next task");
        }
    }

    @Test
    void fetchesASegmentAgainThatWasCorruptedInTransit() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 3; map++) {
                holder.write(3, map, 3, 10);
            }
            Set<String> seen = new LinkedHashSet<>();
            world.reader().scope.changes = seen::add; // each stream in its first attempt
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            FetchFailedException missing = world.failure(shuffles, 0);
            assertEquals(2, missing.map(), "its part alone was asked for once, and came changed again");
            seen.clear();
            boolean[] changed = new boolean[1];
            world.reader().scope.changes = name -> !changed[0] && (changed[0] = true);
            assertEquals(world.expected(1), world.read(shuffles, 1));
            assertEquals(List.of(0, 1, 2), holder.store.present(SHUFFLE));
        }
    }

    @Test
    void failsIfASegmentIsCorruptedInTransitTwice() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            holder.write(1, 0, 3, 10);
            world.reader().scope.changes = name -> true;
            FetchFailedException missing = world.failure(world.shuffles(SETTINGS), 0);
            assertEquals(0, missing.map());
            assertEquals(Optional.empty(), missing.executor());
            String said = String.valueOf(missing.getMessage());
            assertTrue(said.contains("intact on the disk of executor a on host-of-a"), said);
            assertTrue(said.contains("corrupted in the transfer from it"), said);
            assertEquals(2, world.reader().scope.fetched.size(), "sent once more and no more than that");
            assertEquals(List.of(0), holder.store.present(SHUFFLE));
        }
    }

    @Test
    void reportsAndDropsAnOutputThatIsCorruptOnItsExecutor() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 3; map++) {
                holder.write(3, map, 3, 1_000);
            }
            List<Path> files = new ArrayList<>(holder.files());
            files.sort(null);
            Path damaged = files.get(1);
            FetchWorld.flip(damaged);
            FetchFailedException missing = world.failure(world.shuffles(SETTINGS), 0);
            String said = String.valueOf(missing.getMessage());
            assertTrue(said.contains("corrupt on the disk of executor a") && said.contains(damaged.toString()), said);
            assertEquals(Optional.empty(), missing.executor());
            assertFalse(holder.store.present(SHUFFLE).contains(missing.map()));
            assertEquals(2, holder.store.present(SHUFFLE).size());
            assertFalse(Files.exists(damaged));
        }
    }

    @Test
    void reportsAndDropsAnOutputWhoseFileIsMissing() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < 4; map++) {
                holder.write(4, map, 3, 1_000);
            }
            for (Path file : holder.files()) {
                Files.delete(file);
            }
            FetchFailedException missing = world.failure(world.shuffles(SETTINGS), 1);
            assertEquals(Optional.empty(), missing.executor(), "the executor answers");
            assertEquals(0, missing.map());
            assertEquals(List.of(1, 2, 3), missing.others(), "all that are gone are told at once");
            assertEquals(List.of(), holder.store.present(SHUFFLE));
        }
    }

    @Test
    void namesAnOutputThatItsExecutorLacks() throws Exception {
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor a = world.executor("a");
            Executor b = world.executor("b");
            for (int map = 0; map < 6; map++) {
                (map % 2 == 0 ? a : b).write(6, map, 3, 10);
            }
            b.store.lose(SHUFFLE, 3);
            b.store.lose(SHUFFLE, 5);
            FetchFailedException missing = world.failure(world.shuffles(SETTINGS), 0);
            assertEquals(3, missing.map());
            assertEquals(List.of(5), missing.others());
            assertEquals(Optional.empty(), missing.executor());
        }
    }

    @Test
    void asksForTheNextRangeOfMapTasksBeforeItIsNeeded() throws Exception {
        int maps = SegmentIndexClient.RANGE_MAPS + 10;
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < maps; map++) {
                holder.write(maps, map, 0, 0);
            }
            RemoteShuffleReader shuffles = world.shuffles(SETTINGS);
            MapOutputTable table = MapOutputTable.of(world.places(), null);
            try (FetchWorld.Task task = world.new Task();
                    SegmentIndexClient answers =
                            new SegmentIndexClient(shuffles, table, 0, new FetchAwait(task, SHUFFLE))) {
                assertEquals(Optional.empty(), answers.part(SegmentIndexClient.RANGE_MAPS / 2));
                world.simulation.runFor(Duration.ofSeconds(1));
                assertTrue(answers.isAnswered(SegmentIndexClient.RANGE_MAPS));
            }
        }
    }

    @Test
    void asksExecutorsByRangesOfMapTasks() throws Exception {
        int maps = SegmentIndexClient.RANGE_MAPS + 10;
        try (FetchWorld world = world()) {
            world.executor("self");
            Executor holder = world.executor("a");
            for (int map = 0; map < maps; map++) {
                holder.write(maps, map, map % 1_000 == 0 || map > SegmentIndexClient.RANGE_MAPS ? 1 : 0, 10);
            }
            assertEquals(world.expected(1), world.read(world.shuffles(SETTINGS), 1));
        }
    }
}
