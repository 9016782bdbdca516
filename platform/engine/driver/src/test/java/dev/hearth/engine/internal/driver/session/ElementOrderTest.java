package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.event.TaskOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests operations by position after a shuffle: their result is the same with much and with little memory, and when a
 * map task runs again with less memory.
 */
@Timeout(120)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class ElementOrderTest {
    private static final int PAIRS = 60_000;
    private static final int KEYS = 20_000;
    private static final int TRIES_MAX = 20;
    private static final Map<String, String> LITTLE = Map.of("hearth.memory.total", "2m");

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @TempDir
    private Path directory;

    /** Applications whose result depends on the order of elements. */
    enum Program {
        DEALT {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.reduceByKey(Integer::sum, 2).repartition(3).glom();
            }
        },
        NUMBERED {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.groupByKey(2).zipWithIndex();
            }
        },
        DRAWN {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.keys().distinct(2).sample(false, 0.1, 42);
            }
        },
        JOINED {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.join(pairs.mapValues(value -> -value), 2).repartition(2);
            }
        },
        COGROUPED {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.subtractByKey(pairs.filter(pair -> pair.value() % 7 == 0), new HashPartitioner(2))
                        .zipWithUniqueId();
            }
        },
        COMBINED_AGAIN {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.combineByKey(new Gathered())
                        .mapToPair(pair -> Pair.of(pair.value().get(0) % 100, pair.key()))
                        .groupByKey(1);
            }
        },
        SORTED {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                return pairs.mapToPair(pair -> Pair.of(pair.value() % 5 == 0 ? null : pair.value() % 3, pair.key()))
                        .sortByKey(true, 2)
                        .zipWithIndex();
            }
        },
        WHERE_THEY_ARE {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                HashPartitioner one = new HashPartitioner(1);
                return pairs.partitionBy(one).reduceByKey(Integer::sum, one).zipWithIndex();
            }
        },
        ZIPPED {
            @Override
            Rdd<?> of(PairRdd<String, Integer> pairs) {
                PairRdd<String, Integer> sums = pairs.reduceByKey(Integer::sum, 2);
                return sums.zip(sums.map(Pair::key));
            }
        };

        abstract Rdd<?> of(PairRdd<String, Integer> pairs);
    }

    private static final class Gathered implements dev.hearth.api.function.Combiner<Integer, List<Integer>> {
        private static final long serialVersionUID = 1L;

        @Override
        public List<Integer> create(Integer value) {
            return new ArrayList<>(List.of(value));
        }

        @Override
        public List<Integer> add(List<Integer> combined, Integer value) {
            combined.add(value);
            return combined;
        }

        @Override
        public List<Integer> join(List<Integer> left, List<Integer> right) {
            left.addAll(right);
            return left;
        }
    }

    /** Keys in an order that is unrelated to their hash codes. */
    private static PairRdd<String, Integer> pairs(HearthContext context, int partitions) {
        return context.parallelize(IntStream.range(0, PAIRS).boxed().toList(), partitions)
                .mapToPair(i -> Pair.of("key " + i * 7919L % KEYS, i));
    }

    /** The result of jobs, the bytes that their tasks spilled to disk, and their fetch failures. */
    private record Outcome(List<String> result, long spilled, int unread) {}

    private static Outcome outcome(HearthContext context, Rdd<?> dataset) throws InterruptedException {
        BlockingQueue<ApplicationEvent> events = new LinkedBlockingQueue<>();
        ApplicationListener listener = events::add;
        context.addListener(listener);
        List<String> result = dataset.map(String::valueOf).collect();
        Set<Integer> running = new HashSet<>();
        boolean begun = false;
        long spilled = 0;
        int unread = 0;
        do {
            ApplicationEvent event = events.take();
            if (event instanceof ApplicationEvent.JobStarted started) {
                begun = true;
                running.add(started.job());
            } else if (event instanceof ApplicationEvent.JobEnded over) {
                running.remove(over.job()); // else the event belongs to an earlier job
            } else if (event instanceof ApplicationEvent.TaskEnded ended) {
                spilled += ended.metrics().diskSpilledBytes();
                unread += ended.outcome() == TaskOutcome.FETCH_FAILED ? 1 : 0;
            }
        } while (!begun || !running.isEmpty() || !events.isEmpty());
        context.removeListener(listener);
        return new Outcome(result, spilled, unread);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Program.class)
    void givesTheSameResultWithLittleAndMuchMemory(Program program) throws Exception {
        Outcome much;
        try (HearthContext context = local.open("much", Map.of("hearth.memory.total", "256m"))) {
            much = outcome(context, program.of(pairs(context, 1)));
        }
        assertEquals(0, much.spilled(), "bytes spilled with enough memory");
        HearthContext context = local.open("little", LITTLE);
        Outcome little = outcome(context, program.of(pairs(context, 1)));
        assertTrue(little.spilled() > 0, "spilled with little memory");
        assertEquals(much.result(), little.result());
        if (program == Program.ZIPPED) {
            little.result().forEach(both -> assertTrue(both.endsWith("," + keyOf(both) + ")"), "zipped with: " + both));
        }
    }

    private static String keyOf(String pairOfPairAndKey) {
        int from = pairOfPairAndKey.indexOf("key ");
        return pairOfPairAndKey.substring(from, pairOfPairAndKey.indexOf(',', from));
    }

    /** Blocks a task until the test releases it. Meanwhile another task gets half of the memory only. */
    private static final class Hog {
        private static CountDownLatch begun = new CountDownLatch(1);
        private static CountDownLatch end = new CountDownLatch(1);

        private Hog() {}

        static JobFuture<Long> start(HearthContext context) throws InterruptedException {
            begun = new CountDownLatch(1);
            end = new CountDownLatch(1);
            JobFuture<Long> running = context.parallelize(List.of(1), 1)
                    .mapToPair(number -> Pair.of(number, number))
                    .groupByKey(1)
                    .map(group -> {
                        begun.countDown();
                        end.await();
                        return group;
                    })
                    .countAsync();
            begun.await();
            return running;
        }
    }

    @Test
    void aMapTaskThatRunsAgainWithLessMemoryDealsAsBefore() throws Exception {
        HearthContext context =
                local.open("again", Map.of("hearth.local.dir", directory.toString(), "hearth.memory.total", "8m"));
        Rdd<Pair<String, Integer>> dealt =
                pairs(context, 1).reduceByKey(Integer::sum, 1).repartition(4);
        Outcome first = outcome(context, dealt.pick(List.of(0, 1)));
        assertEquals(0, first.spilled(), "bytes spilled the first time");

        Outcome second;
        int tries = 0;
        do {
            loseOutputsOnDisk(context);
            JobFuture<Long> hog = Hog.start(context);
            second = outcome(context, dealt.pick(List.of(2, 3)));
            Hog.end.countDown();
            hog.get();
        } while (second.unread() == 0 && ++tries < TRIES_MAX); // the outputs on disk were not the needed ones
        assertTrue(second.unread() > 0, "fetch failures");
        assertTrue(second.spilled() > 0, "spilled the second time");

        Set<String> all = new HashSet<>(first.result());
        all.addAll(second.result());
        assertEquals(KEYS, first.result().size() + second.result().size(), "sums dealt");
        assertEquals(KEYS, all.size(), "sums dealt once");
    }

    /** Spills map outputs to disk through memory pressure, and deletes their files. */
    private void loseOutputsOnDisk(HearthContext context) throws Exception {
        PairRdd<String, String> much = pairs(context, 1).mapValues(value -> "much of " + value);
        context.pairs(much.union(much).union(much)).groupByKey(1).count();
        List<Path> files = segments();
        assertFalse(files.isEmpty(), "map outputs on disk");
        for (Path file : files) {
            Files.delete(file);
        }
    }

    private List<Path> segments() throws Exception {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith("segment-"))
                    .toList();
        }
    }
}
