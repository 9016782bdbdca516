package dev.hearth.testkit.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Waiting ends when it is so, when the bound is over, or when something fails, and says what was found. */
class EventuallyTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void endsWithTheFirstLookThatFindsItSo() {
        AtomicInteger looks = new AtomicInteger();
        Eventually.until("three looks", () -> looks.incrementAndGet() == 3, BOUND);
        assertEquals(3, looks.get());
    }

    @Test
    void looksOnceAtLeastAndSaysHowItIsInstead() {
        AtomicInteger looks = new AtomicInteger();
        AssertionError late = assertThrows(
                AssertionError.class,
                () -> Eventually.until(
                        "two looks", () -> looks.incrementAndGet() > 1, Duration.ZERO, () -> looks + " look"));
        assertEquals("1 look after 0 ms (expected: two looks)", late.getMessage());
    }

    @Test
    void failsAsTheLookDoes() {
        IOException failure = new IOException("no such file");
        assertEquals(
                failure,
                assertThrows(
                        IOException.class,
                        () -> Eventually.until(
                                "readable",
                                () -> {
                                    throw failure;
                                },
                                BOUND)));
    }

    @Test
    void waitsNoLongerOnceItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        AssertionError ended = assertThrows(AssertionError.class, () -> Eventually.until("never", () -> false, BOUND));
        assertTrue(Thread.interrupted());
        assertEquals("not so when its thread was interrupted (expected: never)", ended.getMessage());
    }
}
