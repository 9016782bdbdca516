package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.api.accumulator.DoubleAccumulator;
import dev.hearth.api.accumulator.LongAccumulator;
import dev.hearth.api.accumulator.LongSum;
import dev.hearth.api.function.ReduceFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Accumulators and functions as programs written for Spark use them. */
@Timeout(60)
@SuppressWarnings("serial") // its functions reach what is private to it
class AccumulatorsTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();
    private final Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4), 2);

    @Test
    void tellSumCountAndAverage() {
        LongAccumulator longs = context.longAccumulator();
        DoubleAccumulator doubles = context.doubleAccumulator("halves");
        List<Integer> makesThemTravel = new ArrayList<>();
        numbers.foreach(number -> {
            longs.add(number + makesThemTravel.size());
            doubles.add(number / 2.0);
        });
        assertEquals("", longs.name());
        assertEquals(List.of(10L, 4L, 2.5), List.of(longs.sum(), longs.count(), longs.avg()));
        assertEquals(List.of(5.0, 4L, 1.25), List.of(doubles.sum(), doubles.count(), doubles.avg()));
        assertEquals(10L, longs.value());
        assertTrue(Double.isNaN(context.longAccumulator().avg()));
    }

    @Test
    void beginAgainWhenTheyAreReset() {
        LongAccumulator longs = context.longAccumulator("numbers");
        Accumulator<Integer, List<Integer>> all = context.collectingAccumulator();
        assertTrue(longs.isZero());
        for (int round = 0; round < 2; round++) {
            numbers.foreach(number -> {
                longs.add(number);
                all.add(number);
            });
            assertEquals(10, longs.sum());
            assertEquals(List.of(1, 2, 3, 4), all.value().stream().sorted().toList());
            assertFalse(longs.isZero());
            longs.reset();
            all.reset();
            assertTrue(longs.isZero() && all.isZero());
            assertEquals(0, longs.count());
        }
    }

    @Test
    void areNotReadOrResetInTasks() {
        LongAccumulator longs = context.longAccumulator("numbers");
        for (HearthException refused : List.of(
                assertThrows(HearthException.class, () -> numbers.foreach(number -> longs.reset())),
                assertThrows(HearthException.class, () -> numbers.foreach(number -> longs.count())))) {
            assertTrue(String.valueOf(refused.getMessage()).contains("accumulator numbers: read inside a task"));
        }
    }

    @Test
    void takeAnyKindWithoutAName() {
        Accumulator<Long, Long> sum = context.accumulator(new LongSum());
        numbers.foreach(number -> sum.add((long) number));
        assertEquals(10L, sum.value());
    }

    @Test
    void oneFunctionAddsAndJoins() {
        ReduceFunction<Integer> sum = Integer::sum;
        assertEquals(10, numbers.aggregate(0, sum, sum));
        assertEquals(10, numbers.treeAggregate(0, sum, sum));
        assertEquals(
                Map.of(0, 6, 1, 4),
                numbers.keyBy(number -> number % 2).aggregateByKey(0, sum, sum).collectAsMap());
    }

    @Test
    void thePartitionerByDefaultIsThatOfOperations() {
        PairRdd<Integer, Integer> spread = numbers.keyBy(number -> number).partitionBy(new HashPartitioner(7));
        assertEquals(new HashPartitioner(2), Partitioner.defaultPartitioner(numbers));
        assertEquals(new HashPartitioner(7), Partitioner.defaultPartitioner(numbers, spread));
        assertEquals(
                spread.join(numbers.keyBy(number -> number)).partitioner().orElseThrow(),
                Partitioner.defaultPartitioner(spread, numbers));
    }
}
