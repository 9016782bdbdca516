package dev.hearth.engine.internal.memory;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.OptionalLong;

/**
 * Settings of the memory that an application's tasks and cached blocks may hold in one process. Read from
 * {@code hearth.memory.*}. A part of the heap is reserved for Hearth itself. Of the rest, tasks and cached blocks may
 * use {@code fraction}; the remainder is for objects of user code.
 */
public record MemorySettings(double fraction, double storageFraction, OptionalLong totalBytes) {
    private static final long MEBIBYTE = 1024 * 1024;
    private static final long RESERVE_BYTES_MAX = 300 * MEBIBYTE;
    private static final int RESERVE_PART = 4; // at most a quarter of the heap is reserved for Hearth itself
    private static final double FRACTION_MAX = 0.95; // leaves memory for objects that are not counted

    private static final SettingKey<String> FRACTION = decimal(
            "hearth.memory.fraction",
            "0.6",
            0.01,
            FRACTION_MAX,
            "Fraction of the heap that tasks and cached blocks share, after the smaller of 300m and a quarter of"
                    + " the heap has been subtracted from the heap.");
    private static final SettingKey<String> STORAGE_FRACTION = decimal(
            "hearth.memory.storageFraction",
            "0.5",
            0,
            1,
            "Fraction of the memory that tasks and cached blocks share; in this part, tasks cannot evict cached"
                    + " blocks.");
    private static final SettingKey<Integer> TOTAL = SettingKey.mebibytes(
                    "hearth.memory.total",
                    512,
                    1,
                    Integer.MAX_VALUE,
                    "Memory that tasks and cached blocks share in one process, whatever its heap.")
            .withoutDefault("as hearth.memory.fraction says");

    private static final SettingKey<Boolean> OFF_HEAP = SettingKey.flag(
                    "hearth.memory.offHeap.enabled",
                    false,
                    "Spark's setting for off-heap memory, which Hearth does not have.")
            .obeying("false, for all memory is on the heap; raise hearth.executor.memory instead", wanted -> !wanted);

    public static final List<SettingKey<?>> KEYS = List.of(FRACTION, STORAGE_FRACTION, TOTAL, OFF_HEAP);

    public static MemorySettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        double fraction = Double.parseDouble(in.read(FRACTION));
        double storageFraction = Double.parseDouble(in.read(STORAGE_FRACTION));
        OptionalLong total = in.find(TOTAL)
                .map(mebibytes -> OptionalLong.of(mebibytes * MEBIBYTE))
                .orElse(OptionalLong.empty());
        in.read(OFF_HEAP);
        in.finish();
        return new MemorySettings(fraction, storageFraction, total);
    }

    /** Number of bytes that tasks and cached blocks together may use, in a heap of {@code heapBytes} bytes. */
    public long total(long heapBytes) {
        long reserve = Math.min(RESERVE_BYTES_MAX, heapBytes / RESERVE_PART);
        return totalBytes.orElse((long) ((heapBytes - reserve) * fraction));
    }

    private static SettingKey<String> decimal(
            String name, String byDefault, double least, double most, String description) {
        return SettingKey.number(name, byDefault, description)
                .obeying("a number, " + least + " to " + most, text -> isWithin(text, least, most));
    }

    private static boolean isWithin(String text, double least, double most) {
        double number = Double.parseDouble(text); // the setting key itself rejects a text that is not a number
        return number >= least && number <= most;
    }
}
