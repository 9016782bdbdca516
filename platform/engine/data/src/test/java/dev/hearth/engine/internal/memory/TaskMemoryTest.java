package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Execution memory of one attempt: which consumers spill, and how much is reserved. */
class TaskMemoryTest {
    private static final long MEBIBYTE = 1024 * 1024;

    private final ProcessMemory process = new ProcessMemory(0);
    private final MemoryBudget budget = open(1000);
    private final TaskMemory memory = budget.open(1, () -> {});
    private final TestingSpillable small = new TestingSpillable(memory);
    private final TestingSpillable large = new TestingSpillable(memory);
    private final TestingSpillable requester = new TestingSpillable(memory);

    private MemoryBudget open(long bytes) {
        return process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(bytes)));
    }

    private void fill() {
        assertEquals(300, small.take(300));
        assertEquals(500, large.take(500));
        assertEquals(200, requester.take(200));
    }

    @Test
    void makesTheLargestOtherConsumerSpillFirst() {
        fill();
        assertEquals(600, requester.take(600));
        assertEquals(List.of(600L), large.asked);
        assertEquals(List.of(100L), small.asked);
        assertEquals(List.of(), requester.asked);
        assertEquals(800, requester.bytes);
        assertEquals(600, memory.memorySpilled());
        assertEquals(300, memory.diskSpilled());
    }

    @Test
    void turnsExecutionMemoryIntoStorageMemory() {
        fill();
        assertTrue(memory.keep(400, large));
        assertEquals(600, budget.executionUsed());
        assertEquals(400, budget.storageUsed());
        assertThrows(HearthException.class, () -> memory.keep(101, large), "more than it still holds");
        budget.drop(400);
        assertEquals(400, requester.take(400));
        assertEquals(List.of(), large.asked, "there was room");
        budget.close();
        assertEquals(false, memory.keep(100, large), "a closed budget stores nothing");
        assertEquals(1000, memory.close());
    }

    @Test
    void stopsSpillingAsSoonAsThereIsEnough() {
        fill();
        assertEquals(100, requester.take(100));
        assertEquals(List.of(100L), large.asked);
        assertEquals(List.of(), small.asked);
        assertEquals(1000, budget.executionUsed());
    }

    @Test
    void neverMakesTheRequesterSpill() {
        assertEquals(1000, requester.take(1000));
        assertEquals(0, requester.take(1));
        assertEquals(List.of(), requester.asked);
    }

    @Test
    void asksEachConsumerOnceEvenIfItReleasesNothing() {
        fill();
        large.spillsAtMost = 0;
        small.spillsAtMost = 10;
        assertEquals(10, requester.take(600));
        assertEquals(List.of(600L), large.asked);
        assertEquals(List.of(600L), small.asked);
    }

    @Test
    void spillsNoConsumerForASpillingOne() {
        fill();
        large.takesWhileSpilling = 50; // nothing is free
        small.takesWhileSpilling = 50; // takes some of what the large one released
        assertEquals(800, requester.take(2000));
        assertEquals(List.of(2000L), large.asked);
        assertEquals(1, small.asked.size());
        assertEquals(1000, requester.bytes);
        assertEquals(0, small.bytes);
    }

    @Test
    void asksAConsumerOnceThatReservesAgainAfterItsSpill() {
        fill();
        Spillable restless = new Spillable() {
            private int spills;

            @Override
            public long spill(long wanted) {
                assertEquals(1, ++spills, "asked again");
                memory.give(100, this);
                memory.take(20, this);
                return 80;
            }
        };
        large.give(100);
        assertEquals(100, memory.take(100, restless));
        assertEquals(780, requester.take(2000));
        memory.give(20, restless);
        assertEquals(980, memory.close());
    }

    @Test
    void propagatesExceptionsOfASpillAndStaysExact() {
        fill();
        Spillable broken = wanted -> {
            throw new UncheckedIOException(new java.io.IOException("disk full"));
        };
        large.give(400);
        assertEquals(400, memory.take(400, broken));
        assertThrows(UncheckedIOException.class, () -> requester.take(10));
        assertEquals(1000, budget.executionUsed());
        memory.give(400, broken);
        assertEquals(500, requester.take(500));
        assertEquals(List.of(100L), small.asked, "an attempt may go on spilling after one that failed");
    }

    @Test
    void spillsConsumersForRequiredMemory() {
        fill();
        memory.require(1000, "dictionary");
        assertEquals(0, small.bytes + large.bytes + requester.bytes);
        memory.give(1000);
        assertEquals(0, memory.close());
    }

    @Test
    void reservesMemoryThatASpillFreesInStorage() {
        assertTrue(budget.keep(400));
        Spillable dropsABlock = new Spillable() {
            @Override
            public long spill(long wanted) {
                budget.drop(300);
                return 0;
            }
        };
        assertEquals(600, memory.take(600, dropsABlock));
        assertEquals(300, requester.take(300));
        assertEquals(900, budget.executionUsed());
        memory.give(600, dropsABlock);
    }

    @Test
    void recordsThePeak() {
        fill();
        small.give(300);
        memory.require(100, "index");
        assertEquals(1000, memory.peak());
        memory.give(100);
        assertEquals(1000, memory.peak());
    }

    @Test
    void reportsLeakedBytesWhenItIsClosed() {
        assertEquals(300, small.take(300));
        memory.require(50, "index");
        assertEquals(350, memory.close());
        assertEquals(0, memory.close());
        assertEquals(0, process.used());
        assertEquals(
                "INTERNAL",
                assertThrows(HearthException.class, () -> small.take(1)).code());
        assertEquals(
                "INTERNAL",
                assertThrows(HearthException.class, () -> small.give(1)).code());
    }

    @Test
    void keepsAtMostTwoMebibytesSpare() {
        MemoryBudget big = open(256 * MEBIBYTE);
        TaskMemory attempt = big.open(2, () -> {});
        TestingSpillable consumer = new TestingSpillable(attempt);
        assertEquals(100, consumer.take(100));
        assertEquals(MEBIBYTE, big.executionUsed());
        assertEquals(100, attempt.peak());
        assertEquals(40 * MEBIBYTE, consumer.take(40 * MEBIBYTE));
        consumer.give(consumer.bytes);
        assertTrue(big.executionUsed() <= 2 * MEBIBYTE, () -> big.executionUsed() + " bytes spare");
        assertEquals(0, attempt.close());
        assertEquals(0, process.used());
    }
}
