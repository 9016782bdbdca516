package dev.hearth.engine.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The part of a heap that tasks and cached blocks share. */
class MemorySettingsTest {
    private static final long MEBIBYTE = 1024 * 1024;

    @Test
    void hasTheDefaultsOfSpark() {
        assertEquals(new MemorySettings(0.6, 0.5, OptionalLong.empty()), MemorySettings.from(Settings.empty()));
    }

    @Test
    void setsAReserveAside() {
        MemorySettings settings = MemorySettings.from(Settings.empty());
        assertEquals((long) (0.6 * 1700 * MEBIBYTE), settings.total(2000 * MEBIBYTE));
        assertEquals((long) (0.6 * 300 * MEBIBYTE), settings.total(400 * MEBIBYTE));
    }

    @Test
    void usesTheConfiguredTotalWhateverTheHeap() {
        MemorySettings settings = read(Map.of("hearth.memory.total", "64m", "spark.memory.fraction", "0.9"));
        assertEquals(64 * MEBIBYTE, settings.total(1));
        assertEquals(64 * MEBIBYTE, settings.total(Long.MAX_VALUE));
        assertEquals(0.9, settings.fraction());
    }

    @Test
    void refusesEveryBadValueAtOnce() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> read(Map.of(
                        "hearth.memory.fraction", "NaN",
                        "hearth.memory.storageFraction", "1.5",
                        "hearth.memory.total", "0")));
        assertEquals("BAD_SETTING", failure.code());
        assertEquals("""
                3 invalid settings:
                  hearth.memory.fraction: NaN (expected: a number, 0.01 to 0.95); from --conf
                  hearth.memory.storageFraction: 1.5 (expected: a number, 0.0 to 1.0); from --conf
                  hearth.memory.total: 0 (expected: a size such as 512m or 2g, from 1m); from --conf""", failure.getMessage());
    }

    @Test
    void refusesOffHeapMemoryWithASuggestion() {
        HearthException failure =
                assertThrows(HearthException.class, () -> read(Map.of("spark.memory.offHeap.enabled", "true")));
        assertEquals(
                "hearth.memory.offHeap.enabled: true (expected: false, for all memory is on the heap; raise"
                        + " hearth.executor.memory instead); from --conf",
                failure.getMessage());
        assertEquals(0.6, read(Map.of("spark.memory.offHeap.enabled", "false")).fraction());
    }

    private static MemorySettings read(Map<String, String> values) {
        return MemorySettings.from(Settings.empty().with("--conf", values));
    }
}
