package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.api.task.TaskContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares operations by key with collections, on data that far exceeds the memory. */
@Timeout(120)
class PairSpillsTest {
    private static final int PAIRS = 60_000;
    private static final int KEYS = 5_000;
    private static final int PARTITIONS = 3;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open(Map.of("hearth.memory.total", "1m"));

    private PairRdd<String, String> pairs(int every) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < PAIRS; i += every) {
            numbers.add(i);
        }
        int keys = KEYS;
        return context.parallelize(numbers, PARTITIONS).mapToPair(i -> Pair.of("key " + i % keys, "value " + i));
    }

    @Test
    void groupsMoreThanFitsIntoMemory() {
        Map<String, Set<String>> expected = new HashMap<>();
        for (int i = 0; i < PAIRS; i++) {
            expected.computeIfAbsent("key " + i % KEYS, key -> new HashSet<>()).add("value " + i);
        }
        Map<String, Set<String>> found = new HashMap<>();
        pairs(1).groupByKey(PARTITIONS)
                .collect()
                .forEach(group -> assertEquals(
                        PAIRS / KEYS,
                        found.computeIfAbsent(group.key(), key -> new HashSet<>(group.value()))
                                .size()));
        assertEquals(expected, found);
    }

    @Test
    void spillsToDisk() {
        List<Long> spilled = pairs(1).groupByKey(1)
                .mapPartitions(groups -> {
                    long count = 0;
                    while (groups.hasNext()) {
                        count += groups.next().value().size();
                    }
                    long bytes = TaskContext.current().metrics().diskSpilledBytes();
                    return List.of(count, bytes).iterator();
                })
                .collect();
        assertEquals(PAIRS, spilled.get(0));
        assertTrue(spilled.get(1) > 0, "bytes spilled to disk: " + spilled.get(1));
    }

    @Test
    void reducesMoreThanFitsIntoMemory() {
        Map<String, Integer> lengths = pairs(1).mapValues(String::length)
                .reduceByKey(Integer::sum, PARTITIONS)
                .collectAsMap();
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < PAIRS; i++) {
            expected.merge("key " + i % KEYS, ("value " + i).length(), Integer::sum);
        }
        assertEquals(expected, lengths);
    }

    /** Runs {@code action} and returns the bytes that its tasks spilled to disk. */
    private long spilledBy(Runnable action) throws InterruptedException {
        BlockingQueue<ApplicationEvent> events = new LinkedBlockingQueue<>();
        ApplicationListener listener = events::add;
        context.addListener(listener);
        action.run();
        long spilled = 0;
        while (true) {
            ApplicationEvent event = events.take();
            if (event instanceof ApplicationEvent.TaskEnded ended) {
                spilled += ended.metrics().diskSpilledBytes();
            } else if (event instanceof ApplicationEvent.JobEnded) {
                context.removeListener(listener);
                return spilled;
            }
        }
    }

    @Test
    void findsDistinctPairsPerPartition() throws InterruptedException {
        PairRdd<String, String> spread = pairs(1).union(pairs(3)).partitionBy(new HashPartitioner(1));
        spread.count(); // the spills of the shuffle come first
        PairRdd<String, String> distinct = spread.distinct(1);
        assertEquals(spread.partitioner(), distinct.partitioner());
        assertTrue(spilledBy(() -> assertEquals(PAIRS, distinct.count())) > 0, "spilled in little memory");
    }

    @Test
    void countsMoreThanFitsIntoMemory() throws InterruptedException {
        PairRdd<String, String> pairs = pairs(1).union(pairs(3)).partitionBy(new HashPartitioner(1));
        pairs.count(); // the spills of the shuffle come first
        Map<Pair<String, String>, Long> often = new HashMap<>();
        long byValue = spilledBy(() -> often.putAll(pairs.countByValue()));
        assertTrue(byValue > 0, "spilled in little memory");
        assertEquals(PAIRS, often.size());
        assertEquals(2, often.get(Pair.of("key 3", "value 3")));
        assertEquals(1, often.get(Pair.of("key 1", "value 1")));
        PairRdd<String, Integer> values = pairs.mapToPair(pair -> Pair.of(pair.value(), 1));
        Map<String, Long> keys = new HashMap<>();
        assertTrue(spilledBy(() -> keys.putAll(values.countByKey())) > 0, "spilled in little memory");
        assertEquals(PAIRS, keys.size());
        assertEquals(2, keys.get("value 3"));
    }

    @Test
    void joinsAndRegroupsMoreThanFitsIntoMemory() {
        long joined = pairs(1).join(pairs(3), PARTITIONS).count();
        assertEquals((long) PAIRS / 3 * (PAIRS / KEYS), joined);
        long keys = pairs(1).join(pairs(3), PARTITIONS)
                .mapValues(both -> both.key().length() + both.value().length())
                .groupByKey(2)
                .mapValues(List::size)
                .reduceByKey(Integer::sum, 2)
                .count();
        assertEquals(KEYS, keys);
    }
}
