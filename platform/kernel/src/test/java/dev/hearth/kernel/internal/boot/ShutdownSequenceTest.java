package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ShutdownSequenceTest {
    private final Runnable stop = new CountDownLatch(1)::countDown;

    private final ShutdownSequence ending = new ShutdownSequence(Thread.currentThread(), () -> {}, () -> false);

    @Test
    void letsTheMainThreadExitAfterItsWork() {
        assertTrue(ending.begin(stop));
        ending.finish();

        assertTrue(ending.complete());
    }

    @Test
    void keepsTheStatusOfAnExitThatBeganBefore() {
        assertTrue(ending.begin(stop));
        assertEquals(Optional.of(stop), ending.request());
        ending.finish();

        assertFalse(ending.complete(), "a second exit could overtake the first one");
    }

    @Test
    void keepsTheStatusOfAnExitDuringTheRelease() {
        assertTrue(ending.begin(stop));
        ending.finish();
        assertEquals(Optional.empty(), ending.request(), "nothing runs any more");

        assertFalse(ending.complete());
    }

    @Test
    void beginsNothingOnceAnEndIsRequested() {
        assertEquals(Optional.empty(), ending.request());

        assertFalse(ending.begin(stop));
    }
}
