package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Division of a budget among attempts and storage, and eviction, in cases where no attempt has to wait. */
class MemoryBudgetTest {
    private final ProcessMemory process = new ProcessMemory(0);
    private final MemoryBudget budget = open(1000);
    private final TestingEvictable store = new TestingEvictable(budget);

    private MemoryBudget open(long bytes) {
        return process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(bytes)));
    }

    @Test
    void grantsAllMemoryToASingleAttempt() {
        TestingSpillable consumer = new TestingSpillable(budget.open(1, () -> {}));
        assertEquals(1000, consumer.take(5000));
        assertEquals(0, consumer.take(1));
        assertEquals(1000, budget.executionUsed());
        consumer.give(1000);
        assertEquals(0, budget.executionUsed());
    }

    @Test
    void limitsEachAttemptToItsShare() {
        TestingSpillable first = new TestingSpillable(budget.open(1, () -> {}));
        TestingSpillable second = new TestingSpillable(budget.open(2, () -> {}));
        assertEquals(10, first.take(10));
        assertEquals(500, second.take(5000));
        assertEquals(490, first.take(5000));
    }

    @Test
    void countsOnlyAttemptsWithReservations() {
        TaskMemory idle = budget.open(2, () -> {});
        assertEquals(1000, new TestingSpillable(budget.open(1, () -> {})).take(5000));
        assertEquals(0, idle.close());
    }

    @Test
    void letsExecutionUseFreeStorageMemory() {
        assertTrue(store.keep(400));
        assertEquals(600, new TestingSpillable(budget.open(1, () -> {})).take(5000));
        assertEquals(0, store.evicted());
    }

    @Test
    void evictsStorageForExecutionDownToItsProtectedPart() {
        assertTrue(store.keep(900));
        TestingSpillable consumer = new TestingSpillable(budget.open(1, () -> {}));
        assertEquals(300, consumer.take(300));
        assertEquals(200, store.evicted());
        assertEquals(200, consumer.take(5000));
        assertEquals(500, budget.storageUsed());
        assertEquals(500, store.stored());
    }

    @Test
    void grantsLessWhenStorageCannotBeEvicted() {
        assertTrue(store.keep(900));
        store.pin(850);
        assertEquals(150, new TestingSpillable(budget.open(1, () -> {})).take(5000));
        assertEquals(50, store.evicted());
    }

    @Test
    void evictsOlderStorageForNewerStorageButNeverExecution() {
        TestingSpillable consumer = new TestingSpillable(budget.open(1, () -> {}));
        assertEquals(700, consumer.take(700));
        assertTrue(store.keep(300));
        assertTrue(store.keep(200));
        assertEquals(200, store.evicted());
        assertEquals(300, budget.storageUsed());
        assertFalse(store.keep(301));
        assertEquals(200, store.evicted(), "nothing is evicted in vain");
        assertEquals(700, budget.executionUsed());
    }

    @Test
    void refusesStorageThatEvictionCannotMakeRoomFor() {
        assertTrue(store.keep(900));
        store.pin(850);
        assertFalse(store.keep(200));
        assertTrue(store.keep(150));
        assertEquals(1000, budget.storageUsed());
    }

    @Test
    void asksStorageHoldersToEvictInOrderOfRegistration() {
        TestingEvictable later = new TestingEvictable(budget);
        assertTrue(later.keep(500));
        assertTrue(store.keep(400));
        assertEquals(500, new TestingSpillable(budget.open(1, () -> {})).take(500));
        assertEquals(400, store.evicted());
        assertEquals(0, later.evicted());
    }

    @Test
    void keepsBudgetsOfSeveralApplicationsWithinTheLargest() {
        MemoryBudget other = open(600);
        TestingEvictable others = new TestingEvictable(other);
        assertEquals(1000, process.bound());
        assertTrue(store.keep(900));
        assertTrue(others.keep(100));
        assertEquals(1000, process.used());
        assertTrue(others.keep(150), "within its protected part it takes from an application that exceeds its own");
        assertEquals(150, store.evicted());
        assertFalse(others.keep(601));
        assertEquals(1000, process.used());
    }

    @Test
    void evictsOtherApplicationsStorageDownToItsProtectedPart() {
        MemoryBudget other = open(1000);
        assertTrue(store.keep(1000));
        TestingSpillable consumer = new TestingSpillable(other.open(1, () -> {}));
        assertEquals(750, consumer.take(5000), "half of an even share is protected");
        assertEquals(250, store.stored());
        consumer.give(750);
        assertEquals(250, process.used());
    }

    @Test
    void dividesMemoryAmongAttemptsOfAllApplications() {
        MemoryBudget other = open(1000);
        TestingSpillable first = new TestingSpillable(budget.open(1, () -> {}));
        TestingSpillable second = new TestingSpillable(other.open(2, () -> {}));
        assertEquals(1, first.take(1));
        assertEquals(500, second.take(5000));
        assertEquals(499, first.take(5000));
    }

    @Test
    void ignoresAClosedBudgetEvenIfItsAttemptsHaveNotEnded() {
        MemoryBudget small = open(10);
        TestingEvictable others = new TestingEvictable(small);
        assertTrue(others.keep(4));
        assertTrue(store.keep(100));
        TaskMemory attempt = budget.open(1, () -> {});
        TestingSpillable consumer = new TestingSpillable(attempt);
        assertEquals(300, consumer.take(300));
        budget.close();
        budget.close();
        assertEquals(0, budget.storageUsed());
        assertEquals(4, process.used());
        assertEquals(10, process.bound());
        assertFalse(budget.keep(1));
        budget.drop(100);
        assertEquals(
                "CONTEXT_CLOSED",
                assertThrows(HearthException.class, () -> consumer.take(1)).code());
        assertEquals(300, attempt.close());
        assertEquals(4, process.used());
        assertEquals(10, process.bound());
    }

    @Test
    void keepsExecutionMemoryThatStorageHasNoRoomFor() {
        MemoryBudget second = open(600);
        MemoryBudget third = open(600);
        TaskMemory attempt = second.open(1, () -> {});
        TestingSpillable consumer = new TestingSpillable(attempt);
        TestingSpillable elsewhere = new TestingSpillable(third.open(2, () -> {}));
        assertEquals(500, consumer.take(500));
        assertEquals(500, elsewhere.take(500));
        budget.close(); // now the process may hold 600, and holds 1000
        assertFalse(attempt.keep(500, consumer));
        assertEquals(500, second.executionUsed());
        assertEquals(0, second.storageUsed());
        assertEquals(1000, process.used());
        elsewhere.give(500);
        assertTrue(attempt.keep(500, consumer));
        assertEquals(0, attempt.close());
        assertEquals(500, second.storageUsed());
        assertEquals(500, process.used());
    }

    @Test
    void namesTheRequesterAndTheAvailableMemoryInTheError() {
        assertTrue(store.keep(100));
        TaskMemory memory = budget.open(7, () -> {});
        new TestingSpillable(memory).spillsAtMost = 0;
        memory.require(300, "shuffle 3");
        HearthException failure = assertThrows(HearthException.class, () -> memory.require(601, "record of 601 bytes"));
        assertEquals("MEMORY_EXHAUSTED", failure.code());
        assertEquals(
                "record of 601 bytes: 601 bytes of memory requested by task 7, which holds 300 and can get 600"
                        + " more (expected: at most 900 for each of 1 running task; the total is 1000, of which cached"
                        + " blocks hold 100); raise the memory of its process (hearth.executor.memory or"
                        + " hearth.driver.memory), hearth.memory.fraction, or hearth.memory.total where it is set, or"
                        + " run fewer tasks at a time",
                failure.getMessage());
        assertEquals(300, budget.executionUsed(), "a failed request releases what it reserved");
        memory.require(600, "record of 600 bytes");
        memory.give(900);
        assertEquals(0, memory.close());
    }

    @Test
    void refusesToReleaseMoreThanIsReserved() {
        TaskMemory memory = budget.open(1, () -> {});
        TestingSpillable consumer = new TestingSpillable(memory);
        assertEquals(10, consumer.take(10));
        for (Runnable wrong : List.<Runnable>of(
                () -> memory.give(11, consumer),
                () -> memory.give(1),
                () -> memory.take(-1, consumer),
                () -> budget.drop(1),
                () -> budget.keep(-1))) {
            assertEquals(
                    "INTERNAL", assertThrows(HearthException.class, wrong::run).code());
        }
        assertEquals(10, budget.executionUsed());
    }
}
