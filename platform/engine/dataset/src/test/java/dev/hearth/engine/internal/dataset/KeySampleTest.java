package dev.hearth.engine.internal.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySampleTest {
    private static final long MEBIBYTE = 1L << 20;

    @ParameterizedTest(name = "{0} ranges, {1} MiB of heap")
    @CsvSource({
        "1, 512, 1500",
        "300, 512, 450000",
        "1000, 512, 500000",
        "1000, 2048, 1048576",
        "1000, 4096, 1500000",
        "4000, 4096, 2000000",
        "1000000, 65536, 2000000"
    })
    void samplesKeysForEachRangeWithinTheBoundOfTheHeap(int ranges, long heap, int expected) {
        assertEquals(expected, KeySample.wanted(ranges, heap * MEBIBYTE));
    }
}
