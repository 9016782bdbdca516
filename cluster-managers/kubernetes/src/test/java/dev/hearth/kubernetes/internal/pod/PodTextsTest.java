package dev.hearth.kubernetes.internal.pod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class PodTextsTest {
    private final AtomicInteger built = new AtomicInteger();

    private LongFunction<String> counted(LongFunction<String> pod) {
        return number -> {
            built.incrementAndGet();
            return pod.apply(number);
        };
    }

    /** Checks the texts of all numbers below {@code end}, and returns how many pods were built for them. */
    private int require(LongFunction<String> pod, long end) {
        PodTexts texts = new PodTexts();
        built.set(0);
        for (long number = 1; number < end; number++) {
            assertEquals(pod.apply(number), texts.of("kind", number, counted(pod)));
        }
        return built.get();
    }

    @Test
    void putsNumbersIntoTheTextOfOthers() {
        assertEquals(3 * 4, require(number -> "1 pod-" + number + "-11, 2: " + number + number, 5_000));
        assertEquals(3 * 3, require(number -> String.valueOf(number), 1_000));
        assertEquals(3 * 3, require(number -> "the same", 1_000));
    }

    @Test
    void buildsPodsThatDifferInOtherWays() {
        require(number -> "hash " + (number * 31) % 97, 200);
        require(number -> number % 2 == 0 ? "even" : "odd", 200);
    }

    @Test
    void startsAnewForEachKind() {
        PodTexts texts = new PodTexts();
        for (long number = 1; number < 9; number++) {
            for (List<String> kind : List.of(List.of("a"), List.of("b"))) {
                assertEquals(kind + " " + number, texts.of(kind, number, other -> kind + " " + other));
                assertEquals(kind + " " + number, texts.of(kind, number, other -> kind + " " + other));
            }
        }
        assertEquals("1234567890123456789", texts.of("long", 1234567890123456789L, String::valueOf));
        assertEquals("1234567890123456788", texts.of("long", 1234567890123456788L, String::valueOf));
    }
}
