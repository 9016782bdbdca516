package dev.hearth.engine.internal.executor;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/** Settings for sending task results to the driver. Read from {@code hearth.task.maxDirectResultSize}. */
public record ResultSettings(int directBytesMax) {
    private static final int MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Integer> DIRECT = SettingKey.mebibytes(
            "hearth.task.maxDirectResultSize",
            1,
            1,
            64,
            "Size of a task's result above which the result stays at its executor until the driver fetches it over"
                    + " a separate connection.");

    public static final List<SettingKey<?>> KEYS = List.of(DIRECT);

    static ResultSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ResultSettings read = new ResultSettings(in.read(DIRECT) * MEBIBYTE);
        in.finish();
        return read;
    }
}
