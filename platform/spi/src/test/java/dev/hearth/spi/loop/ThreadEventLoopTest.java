package dev.hearth.spi.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** Actions, timers and failures of an event loop, in particular around its close. */
class ThreadEventLoopTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final int THREADS = 4;
    private static final int EACH = 2_000;
    private static final int ROUNDS = 20;

    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

    @Test
    void notifiesDroppedActions() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("dropping", uncaught::add);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        loop.execute(() -> {
            entered.countDown();
            await(goOn);
        });
        await(entered);
        DroppableAction waiting = new DroppableAction();
        loop.execute(waiting);
        loop.close();
        DroppableAction late = new DroppableAction();
        loop.execute(late);
        assertEquals(1, late.dropped.get(), "at once, as the loop takes nothing any more");
        goOn.countDown();
        assertTrue(loop.awaitEnd(BOUND));
        assertEquals(1, waiting.dropped.get());
        assertEquals(0, waiting.ran.get() + late.ran.get());
        DroppableAction afterTheEnd = new DroppableAction();
        loop.execute(afterTheEnd);
        assertEquals(1, afterTheEnd.dropped.get());
    }

    @Test
    void runsOrDropsEachActionExactlyOnceWhileItCloses() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            ThreadEventLoop loop = new ThreadEventLoop("ending " + round, uncaught::add);
            List<DroppableAction> all = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(THREADS);
            for (int i = 0; i < THREADS; i++) {
                List<DroppableAction> own = new ArrayList<>();
                for (int j = 0; j < EACH; j++) {
                    own.add(new DroppableAction());
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
            for (DroppableAction each : all) {
                assertEquals(1, each.ran.get() + each.dropped.get(), "run or dropped, once");
            }
        }
    }

    @Test
    void reportsAFailingDropNotification() throws Exception {
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

    @Test
    void letsACallerRunActionsWhileTheThreadIsParked() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("resting", uncaught::add);
        try {
            Thread[] ranBy = new Thread[2];
            for (int tries = 0; tries < EACH && ranBy[0] != Thread.currentThread(); tries++) {
                CountDownLatch both = new CountDownLatch(2);
                loop.executeHere(() -> {
                    ranBy[0] = Thread.currentThread();
                    assertTrue(loop.inLoop());
                    loop.executeHere(
                            () -> { // in an action of its own
                                ranBy[1] = Thread.currentThread();
                                both.countDown();
                            });
                    assertEquals(2, both.getCount());
                    both.countDown();
                });
                await(both);
            }
            assertEquals(Thread.currentThread(), ranBy[0], "at rest sooner or later");
            assertEquals(Thread.currentThread(), ranBy[1]);
            assertFalse(loop.inLoop());
        } finally {
            loop.close();
        }
        assertEquals(List.of(), List.copyOf(uncaught));
    }

    @Test
    void runsTimersScheduledByACallerThatRunsActions() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("timing", uncaught::add);
        try {
            loop.schedule(BOUND.multipliedBy(10), () -> {}); // the time until which its thread is parked
            CountDownLatch due = new CountDownLatch(1);
            loop.executeHere(() -> loop.schedule(Duration.ofMillis(1), due::countDown));
            await(due);
        } finally {
            loop.close();
        }
    }

    @Test
    void runsEveryActionOnceAndExclusivelyOnAnyThread() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("shared", uncaught::add);
        int[] sum = {0}; // guarded by the loop alone
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(THREADS * EACH * ROUNDS);
        Runnable action = () -> {
            wrong.addAndGet(inside.getAndIncrement());
            sum[0]++;
            inside.decrementAndGet();
            all.countDown();
        };
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            boolean standsIn = i % 2 == 0;
            threads.add(new Thread(() -> {
                for (int j = 0; j < EACH * ROUNDS; j++) {
                    if (standsIn) {
                        loop.executeHere(action);
                    } else {
                        loop.execute(action);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        await(all);
        CountDownLatch read = new CountDownLatch(1);
        loop.execute(() -> {
            wrong.addAndGet(sum[0] == THREADS * EACH * ROUNDS ? 0 : 1);
            read.countDown();
        });
        await(read);
        assertEquals(0, wrong.get());
        loop.close();
        assertTrue(loop.awaitEnd(BOUND));
    }

    @Test
    void removesCancelledTimers() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("forgetting", uncaught::add);
        try {
            int[] left = {0};
            CountDownLatch done = new CountDownLatch(1);
            loop.execute(() -> {
                for (int i = 0; i < EACH * ROUNDS; i++) {
                    loop.schedule(Duration.ofDays(365), () -> {}).cancel();
                }
                loop.schedule(Duration.ofDays(365), () -> {});
                left[0] = loop.timers();
                done.countDown();
            });
            await(done);
            assertTrue(left[0] >= 1 && left[0] < EACH, () -> left[0] + " timers are queued");
        } finally {
            loop.close();
        }
    }

    @Test
    void continuesAfterAReportOfAFailureFails() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("failing", failure -> {
            throw new OutOfMemoryError("no room for the report of " + failure);
        });
        try {
            loop.execute(() -> {
                throw new IllegalStateException("meant to");
            });
            CountDownLatch after = new CountDownLatch(2);
            loop.execute(after::countDown);
            loop.schedule(Duration.ofMillis(1), after::countDown);
            await(after);
        } finally {
            loop.close();
        }
    }

    @Test
    void ignoresAnInterruptOfItsThread() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("interrupted", uncaught::add);
        try {
            loop.execute(() -> Thread.currentThread().interrupt());
            boolean interrupted = true;
            for (int tries = 0; tries < EACH && interrupted; tries++) {
                boolean[] seen = {true};
                CountDownLatch looked = new CountDownLatch(1);
                loop.schedule(Duration.ofMillis(1), () -> {
                    seen[0] = Thread.currentThread().isInterrupted();
                    looked.countDown();
                });
                await(looked);
                interrupted = seen[0];
            }
            assertFalse(interrupted, "it rests again, rather than spin");
        } finally {
            loop.close();
        }
    }

    @Test
    void hidesTheCallersInterruptAndClassLoaderFromActions() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("apart", uncaught::add);
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        ClassLoader own = new ClassLoader(before) {};
        try {
            caller.setContextClassLoader(own);
            Thread[] ranBy = new Thread[1];
            for (int tries = 0; tries < EACH && ranBy[0] != caller; tries++) {
                AtomicInteger wrong = new AtomicInteger();
                CountDownLatch ran = new CountDownLatch(1);
                caller.interrupt();
                loop.executeHere(() -> {
                    ranBy[0] = Thread.currentThread();
                    wrong.addAndGet(ranBy[0].isInterrupted() ? 1 : 0);
                    wrong.addAndGet(ranBy[0].getContextClassLoader() == own ? 1 : 0);
                    ran.countDown();
                });
                assertTrue(Thread.interrupted(), "given back");
                await(ran);
                assertEquals(0, wrong.get());
                assertEquals(own, caller.getContextClassLoader());
            }
            assertEquals(caller, ranBy[0], "at rest sooner or later");
        } finally {
            caller.setContextClassLoader(before);
            loop.close();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(BOUND.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class DroppableAction implements EventLoop.Droppable {
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
