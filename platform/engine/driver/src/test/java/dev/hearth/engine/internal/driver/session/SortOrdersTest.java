package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.function.OrderFunction;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests orders given as lambdas and comparators, and orders of null elements. */
@Timeout(60)
class SortOrdersTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    private final Rdd<Integer> numbers = context.parallelize(List.of(3, 1, 4, 1, 5, 9, 2, 6), 3);
    private final PairRdd<String, Integer> words = context.parallelizePairs(
            List.of(Pair.of("bb", 2), Pair.of("a", 1), Pair.of("dddd", 4), Pair.of("ccc", 3)), 2);

    /** A comparator as Spark applications write it. */
    private static final class Descending implements Comparator<Integer>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int compare(Integer left, Integer right) {
            return right.compareTo(left);
        }
    }

    @Test
    void takesLambdas() {
        assertEquals(List.of(9, 6, 5), numbers.takeOrdered(3, (left, right) -> right - left));
        assertEquals(List.of(1, 1, 2), numbers.top(3, (left, right) -> right - left));
        assertEquals(9, numbers.min((left, right) -> right - left));
        assertEquals(1, numbers.max((left, right) -> right - left));
        assertEquals(
                List.of("dddd", "ccc", "bb", "a"),
                words.sortByKey((left, right) -> right.length() - left.length())
                        .keys()
                        .collect());
        assertEquals(
                List.of("a", "bb", "ccc", "dddd"),
                words.sortByKey((left, right) -> right.length() - left.length(), false)
                        .keys()
                        .collect());
        assertEquals(
                List.of("dddd", "ccc", "bb", "a"),
                words.sortByKey((left, right) -> right.length() - left.length(), true, 1)
                        .keys()
                        .collect());
        assertEquals(
                List.of("bb", "ccc"),
                words.sortByKey()
                        .filterByRange((left, right) -> left.length() - right.length(), "xx", "xxx")
                        .keys()
                        .collect());
        assertEquals(
                List.of("dddd", "ccc", "bb", "a"),
                words.repartitionAndSortWithinPartitions(
                                new HashPartitioner(1), (left, right) -> right.length() - left.length())
                        .keys()
                        .collect());
    }

    @Test
    void takesComparators() {
        assertEquals(List.of(9, 6), numbers.takeOrdered(2, Comparator.reverseOrder()));
        assertEquals(List.of(9, 6), numbers.takeOrdered(2, new Descending()));
        assertEquals(List.of(9, 6), numbers.top(2, Integer::compare));
        assertEquals(1, numbers.min(Comparator.naturalOrder()));
        assertEquals(9, numbers.max(Integer::compareTo));
        assertEquals(
                List.of("dddd", "ccc", "bb", "a"),
                words.sortByKey(Comparator.reverseOrder()).keys().collect());
        Comparator<Integer> stays = (left, right) -> right - left;
        HearthException failure = assertThrows(HearthException.class, () -> numbers.takeOrdered(2, stays));
        assertEquals("NOT_SERIALIZABLE", failure.code());
    }

    @Test
    void combinesOrders() {
        OrderFunction<Pair<String, Integer>> order = OrderFunction.<Pair<String, Integer>, Integer>comparing(
                        pair -> pair.value() % 2)
                .reversed()
                .thenComparing(OrderFunction.comparing(Pair::key));
        assertEquals(
                List.of("a", "ccc", "bb", "dddd"),
                words
                        .takeOrdered(
                                4,
                                OrderFunction.<Pair<String, Integer>, Integer>comparing(pair -> pair.value() % 2)
                                        .reversed()
                                        .thenComparing(Pair::key)
                                        .thenComparing(pair -> pair.value()))
                        .stream()
                        .map(Pair::key)
                        .toList());
        assertEquals(
                List.of("a", "ccc", "bb", "dddd"),
                words.takeOrdered(4, order).stream().map(Pair::key).toList());
        assertEquals(
                List.of("dddd", "bb"),
                words.top(2, order).stream().map(Pair::key).toList());
        assertEquals(List.of("a", "bb"), words.keys().takeOrdered(2, OrderFunction.comparing(String::length)));
        assertEquals(
                List.of("ccc", "a"),
                words.keys()
                        .takeOrdered(
                                2,
                                OrderFunction.<String, Integer>comparing(word -> word.length() % 2)
                                        .reversed()
                                        .thenComparing((left, right) -> right.length() - left.length())));
    }

    @Test
    void hasNullFirst() {
        Rdd<Integer> some = context.parallelize(Arrays.asList(2, null, 1, null, 3), 2);
        assertEquals(Arrays.asList(null, null, 1), some.takeOrdered(3));
        assertEquals(Arrays.asList(3, 2, 1, null), some.top(4));
        assertEquals(Arrays.asList(null, null, 1), some.takeOrdered(3, OrderFunction.comparing(number -> number)));
        Rdd<Integer> none = context.parallelize(Arrays.asList(null, null), 2);
        assertEquals(Arrays.asList(null, null), none.takeOrdered(5));
        assertEquals(Arrays.asList(null, null), none.top(5));
    }

    @Test
    void reducesNullInATree() {
        Rdd<Integer> some = context.parallelize(Arrays.asList(2, null, 1, null), 4);
        assertEquals(3, some.treeReduce((left, right) -> left == null ? right : right == null ? left : left + right));
        assertNull(context.parallelize(Arrays.asList((Integer) null), 1).treeReduce(Integer::sum));
        assertNull(context.parallelize(Arrays.asList(null, (Integer) null), 2).treeReduce((left, right) -> null));
    }

    @Test
    void takesNoMoreElementsThanThereAre() {
        assertEquals(List.of(1, 1, 2, 3, 4, 5, 6, 9), numbers.takeOrdered(Integer.MAX_VALUE));
        assertEquals(List.of(9, 6, 5, 4, 3, 2, 1, 1), numbers.top(Integer.MAX_VALUE));
    }

    @Test
    void suggestsIsEmptyForEmptyDatasets() {
        Rdd<Integer> empty = context.parallelize(List.<Integer>of(), 2);
        for (Runnable asking : List.<Runnable>of(
                () -> empty.reduce(Integer::sum),
                () -> empty.treeReduce(Integer::sum),
                () -> empty.min(Comparator.naturalOrder()),
                empty::first)) {
            HearthException failure = assertThrows(HearthException.class, asking::run);
            assertEquals("EMPTY_DATASET", failure.code());
            assertTrue(
                    String.valueOf(failure.getMessage()).endsWith("test with isEmpty() first"), failure.getMessage());
        }
    }
}
