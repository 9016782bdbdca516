package dev.hearth.engine.internal.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histogram of run times: its median and its rate of records. */
class RunTimeHistogramTest {
    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "1 2 3, 2",
        "3 1 2, 2",
        "1 2 3 4, 2", // the lower one of two
        "31 31 31 1, 31",
        "0 0 9, 0",
    })
    void isExactForShortTimes(String times, long median) {
        RunTimeHistogram runTimes = new RunTimeHistogram();
        Arrays.stream(times.split(" ")).mapToLong(Long::parseLong).forEach(time -> runTimes.add(time, 0));
        assertEquals(median, runTimes.medianNanos());
        assertEquals(times.split(" ").length, runTimes.size());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isThreePercentLowAtMost(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] times = random.longs(101, 1, 1L << random.nextInt(10, 60)).toArray();
        RunTimeHistogram runTimes = new RunTimeHistogram();
        Arrays.stream(times).forEach(time -> runTimes.add(time, 0));
        Arrays.sort(times);
        long exact = times[50];
        long found = runTimes.medianNanos();
        assertTrue(
                found <= exact && found >= exact - exact / 32 - 1,
                () -> "seed " + seed + ": " + found + " for " + exact);
    }

    @Test
    void dividesRecordsByTime() {
        RunTimeHistogram runTimes = new RunTimeHistogram();
        assertEquals(0, runTimes.recordsPerSecond());
        runTimes.add(1_000_000_000L, 30);
        runTimes.add(3_000_000_000L, 10);
        assertEquals(10, runTimes.recordsPerSecond(), 1e-9);
    }
}
