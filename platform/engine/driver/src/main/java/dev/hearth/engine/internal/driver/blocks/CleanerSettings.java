package dev.hearth.engine.internal.driver.blocks;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the cleaner, which removes shuffles and datasets that the application no longer references. Also contains
 * the directory for checkpoint files, if one is set. Read from {@code hearth.cleaner.*} and
 * {@code hearth.checkpoint.dir}.
 */
public record CleanerSettings(
        boolean tracking,
        boolean blocking,
        boolean cleansCheckpoints,
        Duration collectionInterval,
        Optional<String> checkpointDirectory) {
    private static final SettingKey<Boolean> TRACKING = SettingKey.flag(
            "hearth.cleaner.referenceTracking",
            true,
            "Whether shuffles and persisted datasets are removed once the application holds no reference to them;"
                    + " else at its end.");
    private static final SettingKey<Boolean> BLOCKING = SettingKey.flag(
            "hearth.cleaner.referenceTracking.blocking",
            true,
            "Whether the job that starts the removal of a dropped persisted dataset waits until its memory and disk"
                    + " space are free.");
    private static final SettingKey<Boolean> CHECKPOINTS = SettingKey.flag(
            "hearth.cleaner.referenceTracking.cleanCheckpoints",
            false,
            "Whether the files of a checkpoint are removed once the application holds no reference to its dataset.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            "hearth.cleaner.periodicGC.interval",
            Duration.ofMinutes(30),
            Duration.ofSeconds(1),
            "How often the driver runs a garbage collection, to find the shuffles and datasets to which the"
                    + " application holds no reference any more.");
    private static final SettingKey<String> CHECKPOINT_DIR = SettingKey.text(
                    "hearth.checkpoint.dir",
                    "",
                    "The directory for checkpoints if the application sets none; on a cluster, one that all hosts see.")
            .withoutDefault("none");

    public static final List<SettingKey<?>> KEYS = List.of(TRACKING, BLOCKING, CHECKPOINTS, INTERVAL, CHECKPOINT_DIR);

    public static CleanerSettings from(Settings settings) {
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
