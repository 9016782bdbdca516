package dev.hearth.testkit.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Polling ends when the condition holds, when the bound is reached, or when it throws; failures describe the state. */
class EventuallyTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void endsWithTheFirstPollThatSucceeds() {
        AtomicInteger looks = new AtomicInteger();
        Eventually.until("three looks", () -> looks.incrementAndGet() == 3, BOUND);
        assertEquals(3, looks.get());
    }

    @Test
    void pollsAtLeastOnceAndReportsTheState() {
        AtomicInteger looks = new AtomicInteger();
        AssertionError late = assertThrows(
                AssertionError.class,
                () -> Eventually.until(
                        "two looks", () -> looks.incrementAndGet() > 1, Duration.ZERO, () -> looks + " look"));
        assertEquals("1 look after 0 ms (expected: two looks)", late.getMessage());
    }

    @Test
    void failsWithTheConditionsException() {
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
    void endsWhenItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        AssertionError ended = assertThrows(AssertionError.class, () -> Eventually.until("never", () -> false, BOUND));
        assertTrue(Thread.interrupted());
        assertEquals("not so when its thread was interrupted (expected: never)", ended.getMessage());
    }
}
