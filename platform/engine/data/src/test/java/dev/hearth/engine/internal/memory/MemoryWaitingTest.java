package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Attempts that wait for each other's memory, and the events that end a wait. Each waiting attempt has its own thread.
 */
@Timeout(30)
class MemoryWaitingTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ProcessMemory process = new ProcessMemory(0);
    private final MemoryBudget budget = open(1000);
    private final TaskMemory firstMemory = budget.open(1, () -> {});
    private final TestingSpillable first = new TestingSpillable(firstMemory);
    private final AtomicBoolean secondKilled = new AtomicBoolean();
    private final TaskMemory secondMemory = budget.open(2, () -> {
        if (secondKilled.get()) {
            throw new CancellationException("killed");
        }
    });
    private final TestingSpillable second = new TestingSpillable(secondMemory);

    private MemoryBudget open(long bytes) {
        return process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(bytes)));
    }

    @AfterEach
    void endThreads() {
        assertEquals(0, process.waiting());
        threads.shutdownNow();
    }

    private Future<Long> takes(TestingSpillable consumer, long wanted) {
        return threads.submit(() -> consumer.take(wanted));
    }

    private void untilWaiting(int attempts) {
        while (process.waiting() != attempts) {
            Thread.onSpinWait();
        }
    }

    @Test
    void waitsUntilHalfAnEvenShareIsAvailable() throws Exception {
        assertEquals(1000, first.take(1000));
        Future<Long> taken = takes(second, 400);
        untilWaiting(1);
        first.give(249); // wakes it, but 249 is not enough
        assertFalse(taken.isDone());
        first.give(1);
        assertEquals(250, taken.get());
    }

    @Test
    void waitsUntilHalfAnEvenShareOfItsOwnSmallerBudgetIsAvailable() throws Exception {
        MemoryBudget small = open(600);
        TestingSpillable greedy = new TestingSpillable(small.open(3, () -> {}));
        TestingSpillable modest = new TestingSpillable(small.open(4, () -> {}));
        assertEquals(600, greedy.take(600));
        Future<Long> taken = takes(modest, 400);
        untilWaiting(1);
        greedy.give(149); // half an even share of 600 is 150
        untilWaiting(1);
        assertFalse(taken.isDone());
        greedy.give(1);
        assertEquals(150, taken.get());
    }

    @Test
    void waitsOnlyForAsMuchAsItRequests() throws Exception {
        assertEquals(1000, first.take(1000));
        Future<Long> taken = takes(second, 10);
        untilWaiting(1);
        first.give(10);
        assertEquals(10, taken.get());
    }

    @Test
    void goesOnWhenAnotherAttemptEnds() throws Exception {
        assertEquals(1000, first.take(1000));
        Future<Long> taken = takes(second, 700);
        untilWaiting(1);
        assertEquals(1000, firstMemory.close());
        assertEquals(700, taken.get(), "a single attempt may hold everything");
    }

    @Test
    void goesOnWhenSharesBecomeSmaller() throws Exception {
        TestingSpillable third = new TestingSpillable(budget.open(3, () -> {}));
        assertEquals(800, first.take(800));
        Future<Long> taken = takes(second, 400); // 200 are free; its lower bound is 250
        untilWaiting(1);
        assertEquals(10, third.take(10)); // now the lower bound is 166
        assertEquals(190, taken.get());
    }

    @Test
    void goesOnWhenStorageIsReleased() throws Exception {
        TestingEvictable store = new TestingEvictable(budget);
        assertTrue(store.keep(500));
        assertEquals(500, first.take(500));
        Future<Long> taken = takes(second, 100); // half an even share of the memory outside storage is 125
        untilWaiting(1);
        threads.submit(() -> store.evict(100)).get();
        assertEquals(100, taken.get());
    }

    @Test
    void evictsAfterTheWaitWhatWasPinnedBefore() throws Exception {
        TestingEvictable store = new TestingEvictable(budget);
        assertTrue(store.keep(800));
        store.pin(800);
        assertEquals(200, first.take(200));
        Future<Long> taken = takes(second, 100);
        untilWaiting(1);
        store.pin(0);
        first.give(1); // any event will do
        assertEquals(100, taken.get());
        assertEquals(99, store.evicted());
    }

    @Test
    void endsWhenKilledWhileItWaits() throws Exception {
        assertEquals(1000, first.take(1000));
        Future<Long> taken = takes(second, 10);
        untilWaiting(1);
        secondKilled.set(true);
        budget.wake();
        assertInstanceOf(
                CancellationException.class,
                assertThrows(ExecutionException.class, taken::get).getCause());
        assertEquals(0, threads.submit(secondMemory::close).get());
        assertEquals(0, first.take(1));
        assertEquals(1000, firstMemory.close());
        assertEquals(0, process.used());
    }

    @Test
    void endsWhenKilledBeforeItWaits() {
        assertEquals(1000, first.take(1000));
        secondKilled.set(true);
        assertThrows(CancellationException.class, () -> second.take(10));
    }

    @Test
    void endsWhenKilledByAnInterrupt() throws Exception {
        assertEquals(1000, first.take(1000));
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<Boolean> interrupted = threads.submit(() -> {
            thread.set(Thread.currentThread());
            assertThrows(CancellationException.class, () -> second.take(10));
            return Thread.interrupted();
        });
        untilWaiting(1);
        secondKilled.set(true);
        thread.get().interrupt();
        assertTrue(interrupted.get(), "the interrupt flag is restored");
    }

    @Test
    void goesOnWaitingWhenInterruptedWithoutAKill() throws Exception {
        assertEquals(1000, first.take(1000));
        Future<Boolean> interrupted = threads.submit(() -> {
            Thread.currentThread().interrupt();
            assertEquals(10, second.take(10));
            return Thread.interrupted();
        });
        untilWaiting(1);
        first.give(10);
        assertTrue(interrupted.get());
    }

    @Test
    void endsWhenItsBudgetCloses() throws Exception {
        assertEquals(1000, first.take(1000));
        Future<Long> taken = takes(second, 10);
        untilWaiting(1);
        budget.close();
        HearthException failure = assertInstanceOf(
                HearthException.class,
                assertThrows(ExecutionException.class, taken::get).getCause());
        assertEquals("CONTEXT_CLOSED", failure.code());
    }

    @Test
    void waitsForAttemptsOfOtherApplicationsToo() throws Exception {
        MemoryBudget other = open(1000);
        TestingSpillable elsewhere = new TestingSpillable(other.open(3, () -> {}));
        assertEquals(1000, first.take(1000));
        Future<Long> taken = takes(elsewhere, 1000);
        untilWaiting(1);
        first.give(600);
        assertEquals(500, taken.get());
    }

    @Test
    void doesNotWaitForAttemptsOfAClosedApplication() throws Exception {
        MemoryBudget other = open(1000);
        TestingSpillable elsewhere = new TestingSpillable(other.open(3, () -> {}));
        assertEquals(1000, first.take(1000)); // and ignores the kill
        Future<Long> taken = takes(elsewhere, 1000);
        untilWaiting(1);
        budget.close();
        assertEquals(1000, taken.get());
        first.give(600);
        assertEquals(1000, process.used());
    }

    @Test
    void keepsNothingSpareWhileOthersWait() throws Exception {
        budget.close();
        MemoryBudget big = open(640L * 1024 * 1024);
        TestingSpillable greedy = new TestingSpillable(big.open(4, () -> {}));
        TestingSpillable modest = new TestingSpillable(big.open(5, () -> {}));
        assertEquals(big.total(), greedy.take(big.total()));
        Future<Long> taken = takes(modest, 4096);
        untilWaiting(1);
        greedy.give(4096); // far less than an attempt reserves ahead
        assertEquals(4096, taken.get());
    }

    @Test
    void holdsNoLockDuringEviction() throws Exception {
        CountDownLatch evicting = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        assertTrue(budget.keep(1000));
        budget.evictables(() -> java.util.List.of(wanted -> {
            evicting.countDown();
            awaitUninterrupted(done);
            budget.drop(wanted);
            return wanted;
        }));
        Future<Long> taken = takes(first, 300);
        evicting.await();
        assertEquals(1000, budget.storageUsed()); // takes the lock
        budget.drop(100);
        done.countDown();
        assertEquals(300, taken.get());
        assertEquals(600, budget.storageUsed());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            throw new AssertionError("interrupted", interrupt);
        }
    }
}
