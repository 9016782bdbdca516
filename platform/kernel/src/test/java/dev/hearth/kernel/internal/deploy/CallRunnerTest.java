package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Without threads, on virtual time: a task runs when the test runs it. */
class CallRunnerTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final ManualEventLoop loop = new ManualEventLoop();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final CallRunner calls = new CallRunner(loop, threads::add, BOUND);
    private final List<String> events = new ArrayList<>();

    @Test
    void doesOneAfterTheOther() {
        run("one");
        run("two");
        assertEquals(1, threads.size(), "the second waits");
        endNext();
        assertEquals(List.of("one begins", "one ends"), events);
        endNext();
        assertEquals(List.of("one begins", "one ends", "two begins", "two ends"), events);
        loop.pass(BOUND);
        assertEquals(4, events.size(), "nothing that has ended is late");
    }

    @Test
    void doesNotWaitForOneThatTakesLongAndReportsItOnce() throws Exception {
        run("one");
        run("two");
        Runnable hanging = threads.remove();
        loop.pass(CallRunner.PATIENCE);
        endNext();
        assertEquals(List.of("two begins", "two ends"), events);
        assertFalse(calls.awaitNone(1));
        loop.pass(BOUND);
        loop.pass(BOUND);
        assertEquals("one is late", events.get(2));
        hanging.run();
        loop.turn();
        assertEquals(List.of("one is late", "one begins", "one ends"), events.subList(2, events.size()));
        assertTrue(calls.awaitNone(1));
    }

    @Test
    void endsNoTurnButItsOwnWhenOneEndsLate() {
        run("one");
        Runnable late = threads.remove();
        loop.pass(CallRunner.PATIENCE);
        run("two");
        run("three");
        late.run();
        loop.turn();
        assertEquals(List.of("one begins", "one ends"), events);
        assertEquals(1, threads.size(), "the third waits for the second");
    }

    @Test
    void countsTheTimeFromTheBeginningOfTheWork() {
        run("one");
        loop.pass(CallRunner.PATIENCE.minusMillis(1));
        run("two");
        endNext();
        loop.pass(BOUND.minusMillis(1));
        assertEquals(List.of("one begins", "one ends"), events);
        loop.pass(Duration.ofMillis(1));
        assertEquals("two is late", events.get(2));
    }

    @Test
    void answersWithWhatTheWorkThrew() {
        calls.run(
                () -> {
                    throw new LinkageError("broken on purpose");
                },
                () -> events.add("late"),
                failure -> events.add(String.valueOf(failure)));
        run("two");
        endNext();
        assertEquals(List.of("Optional[java.lang.LinkageError: broken on purpose]"), events);
        endNext();
        assertEquals("two ends", events.get(2));
    }

    private void run(String name) {
        calls.run(
                () -> events.add(name + " begins"),
                () -> events.add(name + " is late"),
                failure -> events.add(name + " ends"));
    }

    private void endNext() {
        threads.remove().run();
        loop.turn();
    }
}
