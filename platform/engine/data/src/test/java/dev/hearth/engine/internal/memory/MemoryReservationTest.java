package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reservations of a consumer and of a reader's buffer: each byte that they reserve they release, and no more. */
class MemoryReservationTest {
    private static final int LARGE = BufferReservation.QUIET_BYTES + 1;

    private final ProcessMemory process = new ProcessMemory(0);
    private final MemoryBudget budget =
            process.open(new MemorySettings(0.6, 0.5, OptionalLong.of(4L * BufferReservation.QUIET_BYTES)));
    private final TaskMemory memory = budget.open(1, () -> {});
    private final MemoryReservation reservation = new MemoryReservation(memory, wanted -> 0, "table");

    @AfterEach
    void releasesEverything() {
        reservation.giveAllBut(0);
        assertEquals(0, reservation.held());
        assertEquals(0, memory.close(), "bytes still reserved");
    }

    @Test
    void reservesAllOrNothing() {
        assertTrue(reservation.take(budget.total() - 10));
        assertFalse(reservation.take(11), "only 10 bytes are free");
        assertEquals(budget.total() - 10, reservation.held());
        assertTrue(reservation.take(10), "the refused request has released what it got");
        assertEquals(budget.total(), reservation.held());
    }

    @Test
    void releasesRequiredBytesLast() {
        assertTrue(reservation.take(300));
        reservation.require(100);
        reservation.give(350);
        assertEquals(50, reservation.held());
        assertEquals(0, reservation.giveAllBut(60), "fewer are reserved");
        assertEquals(20, reservation.giveAllBut(30));
        assertEquals(30, reservation.held());
        memory.give(30); // all that is left is required
        assertThrows(HearthException.class, () -> memory.give(1));
        memory.require(30, "table");
    }

    @Test
    void countsTheOldAndTheNewBufferUntilTheOldOneIsGone() {
        BufferReservation buffer = new BufferReservation(() -> memory, "reader");
        buffer.begin(BufferReservation.QUIET_BYTES);
        buffer.end();
        memory.require(budget.total(), "all, because a small buffer is not counted");
        memory.give(budget.total());

        buffer.begin(LARGE);
        buffer.end();
        buffer.begin(2L * LARGE);
        assertThrows(HearthException.class, () -> memory.require(LARGE, "other"));
        buffer.end();
        memory.require(LARGE, "other");
        memory.give(LARGE);
        assertThrows(HearthException.class, () -> buffer.begin(2L * LARGE), "no room for both buffers");
        buffer.begin(LARGE);
        buffer.close();
        memory.require(budget.total(), "all");
        memory.give(budget.total());
        buffer.begin(LARGE);
        buffer.close();
    }

    @Test
    void countsNothingWithoutATask() {
        BufferReservation buffer = BufferReservation.uncounted();
        buffer.begin(10L * LARGE);
        buffer.end();
        buffer.close();
        assertEquals(0, process.used());
    }
}
