package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimates are within their error, and memory grows with the number of elements. */
class HyperLogLogTest {
    private static final double DEVIATIONS = 4;
    private static final int BYTES_PER_ELEMENT_MAX = 32;

    private static HyperLogLog sketch(double error) {
        return HyperLogLog.of("test", error);
    }

    @ParameterizedTest
    @CsvSource({
        "0.4, 0",
        "0.4, 10",
        "0.4, 100000",
        "0.05, 50",
        "0.05, 300000",
        "0.01, 1",
        "0.01, 2000",
        "0.01, 9000",
        "0.01, 400000",
        "0.001, 40000",
        "0.001, 200000",
        "0.001, 1000000",
        "0.0001, 1000000",
        "0.000017, 1000",
        "0.000017, 1000000"
    })
    void estimatesWithinItsError(double error, int elements) {
        HyperLogLog sketch = sketch(error);
        for (int i = 0; i < 2 * elements; i++) {
            sketch.add((long) i % elements);
        }
        assertEquals(elements, (double) sketch.estimate(), Math.max(0.5, DEVIATIONS * error * elements));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.05, 0.01, 0.001, 0.000017})
    void takesMemoryForTheElementsThereAre(double error) {
        HyperLogLog sketch = sketch(error);
        long all = Math.round(Math.pow(2 * 1.04 / error, 2)); // the maximum number of registers, of a byte each
        for (int i = 1; i <= 100_000; i++) {
            sketch.add("element " + i);
            long bytes = sketch.bytes();
            long most = Math.min(Math.max(16, all), 128L + (long) BYTES_PER_ELEMENT_MAX * i);
            assertTrue(bytes <= most, () -> bytes + " bytes, at most " + most);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "10, 100000", "100000, 10", "100000, 100000"})
    void joinsAsIfAllHadBeenAddedToOne(int left, int right) {
        HyperLogLog all = sketch(0.01);
        HyperLogLog one = sketch(0.01);
        HyperLogLog other = sketch(0.01);
        for (int i = 0; i < left; i++) {
            one.add(i);
            all.add(i);
        }
        for (int i = left / 2; i < left / 2 + right; i++) {
            other.add(i);
            all.add(i);
        }
        assertEquals(all.estimate(), one.join(other).estimate());
        assertEquals(all.estimate(), one.join(all).estimate());
    }

    @Test
    void tellsPairsAndListsApartByMoreThanTheirHashCodes() {
        HyperLogLog sketch = sketch(0.0001);
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            for (int j = 0; j < 300; j++) {
                elements.add(Pair.of(i, j)); // 31 * i + j collides
                elements.add(List.of(i, j));
            }
        }
        elements.forEach(sketch::add);
        assertEquals(elements.size(), (double) sketch.estimate(), 4 * 0.0001 * elements.size());
    }

    @Test
    void refusesErrorsBelowThoseOfSpark() {
        assertEquals(0, sketch(0.000017).estimate());
        HearthException refused = assertThrows(HearthException.class, () -> sketch(0.000016));
        assertTrue(String.valueOf(refused.getMessage()).contains("(expected: 0.000017 or more, and below 1)"));
    }
}
