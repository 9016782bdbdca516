package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.shuffle.ShuffleServiceSettings;
import java.time.Duration;

/** How an application uses shuffle services, read from {@code hearth.shuffle.service.*}. */
public record ShuffleServiceUse(boolean isEnabled, boolean removesShuffles, Duration awayMax) {
    public static ShuffleServiceUse from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        in.read(ShuffleServiceSettings.CACHED_BLOCKS);
        ShuffleServiceUse use = new ShuffleServiceUse(
                in.read(ShuffleServiceSettings.ENABLED),
                in.read(ShuffleServiceSettings.REMOVES),
                in.read(ShuffleServiceSettings.AWAY_MAX));
        in.finish();
        return use;
    }
}
