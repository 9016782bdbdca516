package dev.hearth.engine.internal.driver;

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

/** Files of a shuffle that were changed or removed between two jobs which read it: map tasks run again, the result is right. */
@Timeout(60)
class DamagedShuffleTest {
    private static final int NUMBERS = 300_000;
    private static final int MAPS = 6;
    private static final int READERS = 3;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @TempDir
    private Path directory;

    /** What happens to a file. */
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
    void runsMapTasksAgainWhoseFilesAreDamaged(Damage damage, boolean bytes) throws Exception {
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
        assertFalse(files.isEmpty(), "a shuffle of more than there is room for lies on disk");
        for (Path file : files) {
            damage.happen(file);
        }
        long sum = IntStream.range(0, NUMBERS).asLongStream().sum();
        assertEquals(sum, parted.map(pair -> (long) pair.key()).reduce(Long::sum));
        assertEquals(NUMBERS, parted.count());
        context.close();
        assertTrue(unread.get() > 0, "tasks that could not read are told of");
        assertEquals(List.of(), segments());
    }

    @Test
    void findsAtOnceWhatIsDamagedForOneReaderEach() throws Exception {
        int parts = 12; // found by each reader alone, more than a stage is attempted
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

    /** Each pair says in which run of its stage it was made; those runs belong to different jobs. */
    @Test
    void readsOneRunOfABarrierStageAlone() throws Exception {
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
        assertTrue(files.size() > 1, "both have files");
        Damage.DELETED.happen(files.get(0));
        assertEquals(1, parted.map(Pair::value).distinct().count(), "runs that are read at once");
        assertEquals(NUMBERS, parted.count());
    }
}
