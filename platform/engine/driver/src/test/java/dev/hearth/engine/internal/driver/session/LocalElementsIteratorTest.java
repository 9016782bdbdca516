package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests iteration over partitions on the driver, and Java streams as input and output. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class LocalElementsIteratorTest {
    private static final AtomicBoolean BROKEN = new AtomicBoolean();
    private static final AtomicInteger TASKS = new AtomicInteger();
    private static final AtomicInteger OPEN = new AtomicInteger();

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open(Map.of("hearth.task.maxFailures", "1"));

    @ParameterizedTest(name = "prefetch {0}")
    @ValueSource(booleans = {false, true})
    void skipNoPartitionWhoseJobFailed(boolean prefetch) {
        BROKEN.set(true);
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4, 5, 6), 3).map(number -> {
            if (number == 3 && BROKEN.get()) {
                throw new IllegalStateException("not yet");
            }
            return number;
        });
        Iterator<Integer> elements = numbers.toLocalIterator(prefetch);
        List<Integer> found = new ArrayList<>(List.of(elements.next(), elements.next()));
        assertThrows(RuntimeException.class, elements::hasNext);
        assertThrows(RuntimeException.class, elements::next);
        BROKEN.set(false);
        elements.forEachRemaining(found::add);
        assertEquals(List.of(1, 2, 3, 4, 5, 6), found);
        assertFalse(elements.hasNext());
    }

    @Test
    void areStreamedWithoutUnneededTasks() {
        TASKS.set(0);
        Rdd<Integer> numbers = context.parallelize(List.of(1, 2, 3, 4, 5, 6), 3).map(number -> {
            TASKS.incrementAndGet();
            return number;
        });
        try (Stream<Integer> stream = numbers.stream()) {
            assertEquals(List.of(1, 2), stream.limit(2).toList());
        }
        assertEquals(2, TASKS.get());
        assertEquals(21, numbers.stream().mapToInt(number -> number).sum());
    }

    @Test
    void areReadFromStreamsThatAreClosed() {
        AtomicBoolean closed = new AtomicBoolean();
        Stream<Integer> input = IntStream.range(0, 10).boxed().onClose(() -> closed.set(true));
        assertEquals(
                IntStream.range(0, 10).boxed().toList(),
                context.parallelize(input, 3).collect());
        assertEquals(true, closed.get());
        assertEquals(List.of("a"), context.parallelize(Stream.of("a")).collect());
    }

    @Test
    void flatMapsToStreamsThatAreClosed() {
        OPEN.set(0);
        Rdd<Integer> several = context.parallelize(List.of(0, 1, 2, 3), 2).flatMapStream(number -> {
            OPEN.incrementAndGet();
            return Stream.of(number, number).limit(number).onClose(OPEN::decrementAndGet);
        });
        assertEquals(List.of(1, 2, 2, 3, 3), several.collect());
        assertEquals(0, OPEN.get());
        assertEquals(List.of(1), several.take(1));
        assertEquals(0, OPEN.get(), "a stream that was not read to its end");
    }

    @Test
    void reportsTheExceptionOfAFunctionThatOpensAStream() {
        Rdd<Integer> failing = context.parallelize(List.of(1), 1).flatMapStream(number -> {
            throw new java.io.IOException("no stream of " + number);
        });
        HearthException failure = assertThrows(HearthException.class, failing::count);
        assertEquals("TASK_FAILED", failure.code());
        assertEquals(true, String.valueOf(failure.getMessage()).contains("no stream of 1"), failure.getMessage());
    }
}
