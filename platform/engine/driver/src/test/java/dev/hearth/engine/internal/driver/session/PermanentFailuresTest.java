package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskOutcome;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** A failure that every attempt would have fails its job at once, and says its cause once. */
@Timeout(60)
@SuppressWarnings("serial") // its functions reach what is private to it
class PermanentFailuresTest {
    /** A dataset that tasks reach without capturing it. */
    private static final class Capturing {
        private static Rdd<Integer> outer;

        private Capturing() {}
    }

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open(Map.of("hearth.task.maxFailures", "4"));
    private final Rdd<Integer> numbers = context.parallelize(List.of(1), 1);

    /** The message of a job that fails, of which {@code attempts} attempts failed. */
    private String failure(int attempts, Executable job) throws InterruptedException {
        // each call has a queue of its own, because the listeners of earlier calls still receive events
        BlockingQueue<ApplicationEvent> events = new LinkedBlockingQueue<>();
        context.addListener(events::add);
        HearthException failure = assertThrows(HearthException.class, job);
        assertEquals("TASK_FAILED", failure.code());
        int failed = 0;
        for (ApplicationEvent event = events.take();
                !(event instanceof ApplicationEvent.JobEnded);
                event = events.take()) {
            failed +=
                    event instanceof ApplicationEvent.TaskEnded ended && ended.outcome() == TaskOutcome.FAILED ? 1 : 0;
        }
        String message = String.valueOf(failure.getMessage());
        assertEquals(attempts, failed, message);
        assertEquals(message.indexOf("(expected: "), message.lastIndexOf("(expected: "), message);
        assertFalse(message.contains("caused by"), message);
        return message;
    }

    @Test
    void aResultThatCannotTravel() throws InterruptedException {
        String message = failure(1, () -> numbers.map(number -> new Object()).collect());
        assertTrue(message.contains(": failed for good on executor driver-0 (localhost): "), message);
        assertTrue(message.contains("is not serialisable"), message);
    }

    @Test
    void aClassThatIsRefused() throws Exception {
        URL refused = new URL("http://localhost");
        List<URL> urls = new ArrayList<>(List.of(refused));
        assertTrue(failure(1, () -> numbers.map(number -> urls.size()).count())
                .contains("refused by the deserialisation filter: class java.net.URL"));
    }

    @Test
    void datasetsOfUnequalPartitions() throws InterruptedException {
        Rdd<Integer> more = context.parallelize(List.of(1, 2), 1);
        assertTrue(failure(1, () -> numbers.zip(more).count()).contains("zip: a partition of the second dataset"));
    }

    @Test
    void aBroadcastThatWasDestroyed() throws InterruptedException {
        Broadcast<List<Integer>> gone = context.broadcast(List.of(1));
        gone.destroy();
        assertTrue(failure(1, () -> numbers.map(number -> gone.value().get(0)).count())
                .contains("was destroyed (expected: read before that)"));
    }

    @Test
    void contextsAndDatasetsInsideATask() throws InterruptedException {
        String opened = failure(
                1,
                () -> numbers.foreach(number -> {
                    try (HearthContext inner =
                            HearthContext.builder().name("inner").open()) {
                        inner.range(0, number);
                    }
                }));
        assertTrue(opened.contains("context: opened inside a task (expected: on the driver)"), opened);
        Capturing.outer = numbers;
        assertTrue(failure(1, () -> numbers.foreach(number -> Capturing.outer.count()))
                .contains("count: called inside a task"));
    }

    @Test
    void whatTheProgramMarksAndWrapsAsWell() throws InterruptedException {
        assertTrue(failure(
                        1,
                        () -> numbers.foreach(number -> {
                            throw new IllegalStateException(
                                    new HearthException("MY_OWN", "no such tenant").permanent());
                        }))
                .contains("no such tenant"));
    }

    @Test
    void anyOtherIsTriedAgain() throws InterruptedException {
        String message = failure(
                4,
                () -> numbers.map(number -> Pair.of(number, Integer.parseInt("none")))
                        .count());
        assertTrue(message.contains(": failed 4 times, last on executor driver-0 (localhost): "), message);
        assertFalse(message.contains("(expected: "), message);
    }
}
