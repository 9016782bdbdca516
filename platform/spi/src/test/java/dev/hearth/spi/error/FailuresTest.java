package dev.hearth.spi.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void statesOneRuleInOneText() {
        assertEquals("file a: cut short (expected: 9 bytes)", Failures.expecting("file a: cut short", "9 bytes"));
        assertEquals(
                "file a: cut short (expected: 9 bytes)",
                Failures.expecting("file a: cut short (expected: 9 bytes)", "a complete file"));
    }
}
