package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Corrupts or removes shuffle files between two jobs that read them: map tasks run again, and the result is right. */
@Timeout(60)
class DamagedShuffleTest {
    private static final int NUMBERS = 300_000;
    private static final int MAPS = 6;
    private static final int READERS = 3;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @TempDir
    private Path directory;

    /** A way to damage a file. */
    enum Damage {
        DELETED,
        CUT,
        FLIPPED;

        void happen(Path file) throws IOException {
            if (this == DELETED) {
                Files.delete(file);
                return;
            }
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                if (this == CUT) {
                    open.setLength(open.length() / 4);
                } else {
                    for (long at = 20; at < open.length(); at += 1_000) {
                        open.seek(at);
                        int was = open.read();
                        open.seek(at);
                        open.write(was ^ 1);
                    }
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}, values as bytes: {1}")
    @CsvSource({"DELETED, false", "CUT, false", "FLIPPED, false", "DELETED, true", "FLIPPED, true"})
    void runsMapTasksOfCorruptFilesAgain(Damage damage, boolean bytes) throws Exception {
        HearthContext context =
                local.open(Map.of("hearth.local.dir", directory.toString(), "hearth.memory.total", "1m"));
        AtomicInteger unread = new AtomicInteger();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.TaskEnded ended && ended.outcome() == TaskOutcome.FETCH_FAILED) {
                unread.incrementAndGet();
            }
        });
        PairRdd<Integer, Object> pairs = context.parallelize(
                        IntStream.range(0, NUMBERS).boxed().toList(), MAPS)
                .mapToPair(number -> Pair.of(number, bytes ? new byte[] {1, 2, 3, (byte) (int) number} : number));
        PairRdd<Integer, Object> parted = pairs.partitionBy(new dev.hearth.api.HashPartitioner(READERS));
        assertEquals(NUMBERS, parted.count());
        List<Path> files = segments();
        assertFalse(files.isEmpty(), "a shuffle larger than the memory is on disk");
        for (Path file : files) {
            damage.happen(file);
        }
        long sum = IntStream.range(0, NUMBERS).asLongStream().sum();
        assertEquals(sum, parted.map(pair -> (long) pair.key()).reduce(Long::sum));
        assertEquals(NUMBERS, parted.count());
        context.close();
        assertTrue(unread.get() > 0, "fetch failures are published");
        assertEquals(List.of(), segments());
    }

    @Test
    void findsAllCorruptSegmentsInOneAttempt() throws Exception {
        int parts = 12; // each found by one reader only, more than there are stage attempts
        HearthContext context =
                local.open(Map.of("hearth.local.dir", directory.toString(), "hearth.memory.total", "1m"));
        PairRdd<Integer, Integer> parted = context.parallelize(
                        IntStream.range(0, NUMBERS).boxed().toList(), parts)
                .mapToPair(number -> Pair.of(number, number))
                .partitionBy(new dev.hearth.api.HashPartitioner(parts));
        assertEquals(NUMBERS, parted.count());
        List<Path> files = segments();
        assertTrue(files.size() > 8, () -> "more than two tasks can find in four attempts: " + files);
        for (int at = 0; at < files.size(); at++) {
            try (RandomAccessFile open = new RandomAccessFile(files.get(at).toFile(), "rw")) {
                long middle = open.length() * (2L * (at % parts) + 1) / (2L * parts);
                open.seek(middle);
                int was = open.read();
                open.seek(middle);
                open.write(was ^ 1);
            }
        }
        assertEquals(
                IntStream.range(0, NUMBERS).asLongStream().sum(),
                parted.map(pair -> (long) pair.key()).reduce(Long::sum));
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith("segment-"))
                    .toList();
        }
    }

    /** Each pair contains the stage attempt that computed it; the attempts belong to different jobs. */
    @Test
    void readsOneAttemptOfABarrierStageOnly() throws Exception {
        HearthContext context =
                local.open(Map.of("hearth.local.dir", directory.toString(), "hearth.memory.total", "1m"));
        PairRdd<Integer, Integer> parted = context.parallelize(
                        IntStream.range(0, NUMBERS).boxed().toList(), 2)
                .barrier()
                .mapPartitions(numbers -> {
                    int stage = TaskContext.current().stage();
                    List<Integer> all = new ArrayList<>();
                    numbers.forEachRemaining(all::add);
                    return all.stream().map(number -> Pair.of(number, stage)).iterator();
                })
                .mapToPair(pair -> pair)
                .partitionBy(new HashPartitioner(READERS));
        assertEquals(NUMBERS, parted.count());
        List<Path> files = segments();
        assertTrue(files.size() > 1, "both attempts have files");
        Damage.DELETED.happen(files.get(0));
        assertEquals(1, parted.map(Pair::value).distinct().count(), "stage attempts that are read together");
        assertEquals(NUMBERS, parted.count());
    }
}
