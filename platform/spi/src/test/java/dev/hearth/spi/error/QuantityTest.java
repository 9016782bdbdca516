package dev.hearth.spi.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Numbers with their nouns. */
class QuantityTest {
    @Test
    void isPluralForAllNumbersButOne() {
        assertEquals("0 cores", Quantity.of(0, "core"));
        assertEquals("1 free core", Quantity.of(1, "free core"));
        assertEquals("2 cores", Quantity.of(2, "core"));
        assertEquals("-1 partitions", Quantity.of(-1, "partition"));
    }
}
