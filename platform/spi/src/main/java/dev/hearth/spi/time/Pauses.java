package dev.hearth.spi.time;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Pauses between two looks at a state that no event announces. Tests replace it by simulated time. */
@FunctionalInterface
public interface Pauses {
    /** Pauses the current thread; an interrupt ends the pause. */
    void millis(long millis) throws InterruptedException;

    /** Returns pauses in real time. */
    static Pauses real() {
        return millis -> new Semaphore(0).tryAcquire(millis, TimeUnit.MILLISECONDS);
    }
}
