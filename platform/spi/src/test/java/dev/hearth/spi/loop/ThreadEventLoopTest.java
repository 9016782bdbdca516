package dev.hearth.spi.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of actions when a loop ends. */
class ThreadEventLoopTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final int THREADS = 4;
    private static final int EACH = 2_000;
    private static final int ROUNDS = 20;

    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    @Test
    void tellsActionsThatTheyWillNeverRun() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("dropping", uncaught::add);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        loop.execute(() -> {
            entered.countDown();
            await(goOn);
        });
        await(entered);
        Told waiting = new Told();
        loop.execute(waiting);
        loop.close();
        Told late = new Told();
        loop.execute(late);
        assertEquals(1, late.dropped.get(), "at once, as the loop takes nothing any more");
        goOn.countDown();
        assertTrue(loop.awaitEnd(BOUND));
        assertEquals(1, waiting.dropped.get());
        assertEquals(0, waiting.ran.get() + late.ran.get());
        Told afterTheEnd = new Told();
        loop.execute(afterTheEnd);
        assertEquals(1, afterTheEnd.dropped.get());
    }

    @Test
    void tellsOfEachActionOnceHoweverTheEndComes() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            ThreadEventLoop loop = new ThreadEventLoop("ending " + round, uncaught::add);
            List<Told> all = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(THREADS);
            for (int i = 0; i < THREADS; i++) {
                List<Told> own = new ArrayList<>();
                for (int j = 0; j < EACH; j++) {
                    own.add(new Told());
                }
                all.addAll(own);
                Thread thread = new Thread(() -> {
                    begun.countDown();
                    own.forEach(loop::execute);
                });
                thread.start();
                threads.add(thread);
            }
            await(begun);
            loop.close();
            for (Thread thread : threads) {
                thread.join(BOUND.toMillis());
            }
            assertTrue(loop.awaitEnd(BOUND));
            for (Told each : all) {
                assertEquals(1, each.ran.get() + each.dropped.get(), "run or told, once");
            }
        }
    }

    @Test
    void reportsWhatFailsToTakeTheNews() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("reporting", uncaught::add);
        loop.close();
        IllegalStateException failure = new IllegalStateException("meant to");
        loop.execute(new EventLoop.Droppable() {
            @Override
            public void run() {
                throw new AssertionError("it was closed");
            }

            @Override
            public void dropped() {
                throw failure;
            }
        });
        assertEquals(List.of(failure), List.copyOf(uncaught));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(BOUND.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Told implements EventLoop.Droppable {
        private final AtomicInteger ran = new AtomicInteger();
        private final AtomicInteger dropped = new AtomicInteger();

        @Override
        public void run() {
            ran.incrementAndGet();
        }

        @Override
        public void dropped() {
            dropped.incrementAndGet();
        }
    }
}
