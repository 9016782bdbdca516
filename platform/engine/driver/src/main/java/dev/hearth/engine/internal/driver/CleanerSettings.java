package dev.hearth.engine.internal.driver;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What becomes of what a program has dropped, and where checkpoints lie. Read from {@code hearth.cleaner.*} and {@code hearth.checkpoint.dir}. */
record CleanerSettings(
        boolean tracking,
        boolean blocking,
        boolean cleansCheckpoints,
        Duration collectionInterval,
        Optional<String> checkpointDirectory) {
    private static final SettingKey<Boolean> TRACKING = SettingKey.flag(
            "hearth.cleaner.referenceTracking",
            true,
            "Whether shuffles and kept datasets go once the program has dropped all that could read them; else when it ends.");
    private static final SettingKey<Boolean> BLOCKING = SettingKey.flag(
            "hearth.cleaner.referenceTracking.blocking",
            true,
            "Whether the job that finds a kept dataset dropped waits until what it took is free.");
    private static final SettingKey<Boolean> CHECKPOINTS = SettingKey.flag(
            "hearth.cleaner.referenceTracking.cleanCheckpoints",
            false,
            "Whether the files of a checkpoint are removed once the program has dropped all that could read them.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            "hearth.cleaner.periodicGC.interval",
            Duration.ofMinutes(30),
            Duration.ofSeconds(1),
            "How often the driver collects garbage to find what the program has dropped, while it tracks anything.");
    private static final SettingKey<String> CHECKPOINT_DIR = SettingKey.text(
                    "hearth.checkpoint.dir",
                    "",
                    "The directory for checkpoints, where the program sets none; on a cluster one that all its hosts see.")
            .withoutDefault("none");

    static final List<SettingKey<?>> KEYS = List.of(TRACKING, BLOCKING, CHECKPOINTS, INTERVAL, CHECKPOINT_DIR);

    static CleanerSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        CleanerSettings read = new CleanerSettings(
                in.read(TRACKING),
                in.read(BLOCKING),
                in.read(CHECKPOINTS),
                in.read(INTERVAL),
                in.find(CHECKPOINT_DIR).filter(text -> !text.isBlank()));
        in.finish();
        return read;
    }
}
