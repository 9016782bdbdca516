package dev.hearth.engine.internal.shuffle;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/**
 * Thresholds that force map tasks to spill even if enough memory is available. Read from
 * {@code hearth.shuffle.spill.*}.
 */
public record ShuffleSettings(int spilledRecords, long spilledBytes) {
    private static final long MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Integer> SPILLED_RECORDS = SettingKey.integer(
                    "hearth.shuffle.spill.numElementsForceSpillThreshold",
                    Integer.MAX_VALUE,
                    1,
                    Integer.MAX_VALUE,
                    "Number of buffered records at which a map task spills its buffers to disk, even if memory is"
                            + " free.")
            .withoutDefault("never");
    private static final SettingKey<Integer> SPILLED_BYTES = SettingKey.mebibytes(
                    "hearth.shuffle.spill.maxSizeInBytesForSpillThreshold",
                    1024,
                    1,
                    Integer.MAX_VALUE,
                    "Memory of its buffers at which a map task spills them to disk, even if memory is free.")
            .withoutDefault("never");

    public static final List<SettingKey<?>> KEYS = List.of(SPILLED_RECORDS, SPILLED_BYTES);

    static final ShuffleSettings DEFAULTS = new ShuffleSettings(Integer.MAX_VALUE, Long.MAX_VALUE);

    public static ShuffleSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int records = in.find(SPILLED_RECORDS).orElse(DEFAULTS.spilledRecords);
        long bytes =
                in.find(SPILLED_BYTES).map(mebibytes -> mebibytes * MEBIBYTE).orElse(DEFAULTS.spilledBytes);
        in.finish();
        return new ShuffleSettings(records, bytes);
    }
}
