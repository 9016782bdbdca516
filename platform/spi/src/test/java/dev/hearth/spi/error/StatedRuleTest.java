package dev.hearth.spi.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.HearthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One stated rule in each line of an error. */
class StatedRuleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: b | a: b",
                "a: b (expected: c); do d | a: b (expected: c); do d",
                "a: b (expected: c (or d)) (expected: e) | a: b (expected: c (or d))",
                "a: b (expected: c); do d (expected: e (f)); do g | a: b (expected: c); do d; do g",
                "a (expected: b): c (expected: d): e (expected: f) | a (expected: b): c: e",
                "a (expected: b (c | a (expected: b (c",
                "a (expected: b) (expected: c | a (expected: b) (expected: c"
            })
    void isTheFirst(String message, String shown) {
        assertEquals(shown, StatedRule.onlyFirst(message));
    }

    @Test
    void isOneOfEachLineOfAFailure() {
        HearthException failure = ErrorCode.BAD_SETTING.failure(
                "2 settings:\n  a (expected: b) (expected: c)\n  d (expected: e)", new IllegalStateException("cause"));
        assertEquals("2 settings:\n  a (expected: b)\n  d (expected: e)", failure.getMessage());
        assertEquals(
                "a (expected: b)",
                ErrorCode.INTERNAL.failure("a (expected: b) (expected: c)").getMessage());
    }
}
