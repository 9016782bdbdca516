package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Who gets how much of a budget, and who makes room, as far as nobody waits. */
class MemoryBudgetTest {
    private final ProcessMemory process = new ProcessMemory(0);
    private final MemoryBudget budget = open(1000);
    private final TestingEvictable store = new TestingEvictable(budget);

    private MemoryBudget open(long bytes) {
        return process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(bytes)));
    }

    @Test
    void givesOneAttemptAllThereIs() {
        TestingSpillable holder = new TestingSpillable(budget.open(1, () -> {}));
        assertEquals(1000, holder.take(5000));
        assertEquals(0, holder.take(1));
        assertEquals(1000, budget.executionUsed());
        holder.give(1000);
        assertEquals(0, budget.executionUsed());
    }

    @Test
    void givesEachAttemptItsShareAtMost() {
        TestingSpillable first = new TestingSpillable(budget.open(1, () -> {}));
        TestingSpillable second = new TestingSpillable(budget.open(2, () -> {}));
        assertEquals(10, first.take(10));
        assertEquals(500, second.take(5000));
        assertEquals(490, first.take(5000));
    }

    @Test
    void countsOnlyAttemptsThatTookSomething() {
        TaskMemory idle = budget.open(2, () -> {});
        assertEquals(1000, new TestingSpillable(budget.open(1, () -> {})).take(5000));
        assertEquals(0, idle.close());
    }

    @Test
    void letsExecutionTakeWhatStorageLeavesFree() {
        assertTrue(store.keep(400));
        assertEquals(600, new TestingSpillable(budget.open(1, () -> {})).take(5000));
        assertEquals(0, store.evicted());
    }

    @Test
    void evictsStorageForExecutionDownToItsProtectedPart() {
        assertTrue(store.keep(900));
        TestingSpillable holder = new TestingSpillable(budget.open(1, () -> {}));
        assertEquals(300, holder.take(300));
        assertEquals(200, store.evicted());
        assertEquals(200, holder.take(5000));
        assertEquals(500, budget.storageUsed());
        assertEquals(500, store.kept());
    }

    @Test
    void grantsWhatThereIsWhenStorageCannotBeEvicted() {
        assertTrue(store.keep(900));
        store.pin(850);
        assertEquals(150, new TestingSpillable(budget.open(1, () -> {})).take(5000));
        assertEquals(50, store.evicted());
    }

    @Test
    void evictsOlderStorageForNewAndNeverExecution() {
        TestingSpillable holder = new TestingSpillable(budget.open(1, () -> {}));
        assertEquals(700, holder.take(700));
        assertTrue(store.keep(300));
        assertTrue(store.keep(200));
        assertEquals(200, store.evicted());
        assertEquals(300, budget.storageUsed());
        assertFalse(store.keep(301));
        assertEquals(200, store.evicted(), "nothing is evicted in vain");
        assertEquals(700, budget.executionUsed());
    }

    @Test
    void refusesToKeepWhatEvictionMakesNoRoomFor() {
        assertTrue(store.keep(900));
        store.pin(850);
        assertFalse(store.keep(200));
        assertTrue(store.keep(150));
        assertEquals(1000, budget.storageUsed());
    }

    @Test
    void asksHoldersOfKeptDataInOrderOfRegistration() {
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
        assertTrue(others.keep(150), "within its own protected part it takes from who has more than his");
        assertEquals(150, store.evicted());
        assertFalse(others.keep(601));
        assertEquals(1000, process.used());
    }

    @Test
    void evictsOtherApplicationsStorageForTasksDownToWhatIsGuarded() {
        MemoryBudget other = open(1000);
        assertTrue(store.keep(1000));
        TestingSpillable holder = new TestingSpillable(other.open(1, () -> {}));
        assertEquals(750, holder.take(5000), "a half of an even share is guarded");
        assertEquals(250, store.kept());
        holder.give(750);
        assertEquals(250, process.used());
    }

    @Test
    void sharesAmongAttemptsOfAllApplications() {
        MemoryBudget other = open(1000);
        TestingSpillable first = new TestingSpillable(budget.open(1, () -> {}));
        TestingSpillable second = new TestingSpillable(other.open(2, () -> {}));
        assertEquals(1, first.take(1));
        assertEquals(500, second.take(5000));
        assertEquals(499, first.take(5000));
    }

    @Test
    void forgetsAClosedBudgetWhoeverOfItsAttemptsHasYetToEnd() {
        MemoryBudget small = open(10);
        TestingEvictable others = new TestingEvictable(small);
        assertTrue(others.keep(4));
        assertTrue(store.keep(100));
        TaskMemory attempt = budget.open(1, () -> {});
        TestingSpillable holder = new TestingSpillable(attempt);
        assertEquals(300, holder.take(300));
        budget.close();
        budget.close();
        assertEquals(0, budget.storageUsed());
        assertEquals(4, process.used());
        assertEquals(10, process.bound());
        assertFalse(budget.keep(1));
        budget.drop(100);
        assertEquals(
                "CONTEXT_CLOSED",
                assertThrows(HearthException.class, () -> holder.take(1)).code());
        assertEquals(300, attempt.close());
        assertEquals(4, process.used());
        assertEquals(10, process.bound());
    }

    @Test
    void saysWhoWantedWhatAndWhatThereIs() {
        assertTrue(store.keep(100));
        TaskMemory memory = budget.open(7, () -> {});
        new TestingSpillable(memory).spillsAtMost = 0;
        memory.require(300, "shuffle 3");
        HearthException failure = assertThrows(HearthException.class, () -> memory.require(601, "record of 601 bytes"));
        assertEquals("MEMORY_EXHAUSTED", failure.code());
        assertEquals(
                "record of 601 bytes: 601 bytes of memory wanted by task 7, which holds 300 and can have 600 more (expected:"
                        + " at most 900 for each of 1 that run, of the 1000 there are, 100 of them kept); raise the memory of its"
                        + " process (hearth.executor.memory or hearth.driver.memory), hearth.memory.fraction, or"
                        + " hearth.memory.total where it is set, or run fewer tasks at a time",
                failure.getMessage());
        assertEquals(300, budget.executionUsed(), "what was gathered for it is given back");
        memory.require(600, "record of 600 bytes");
        memory.give(900);
        assertEquals(0, memory.close());
    }

    @Test
    void refusesToTakeBackMoreThanWasGiven() {
        TaskMemory memory = budget.open(1, () -> {});
        TestingSpillable holder = new TestingSpillable(memory);
        assertEquals(10, holder.take(10));
        for (Runnable wrong : List.<Runnable>of(
                () -> memory.give(11, holder),
                () -> memory.give(1),
                () -> memory.take(-1, holder),
                () -> budget.drop(1),
                () -> budget.keep(-1))) {
            assertEquals(
                    "INTERNAL", assertThrows(HearthException.class, wrong::run).code());
        }
        assertEquals(10, budget.executionUsed());
    }
}
