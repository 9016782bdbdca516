package dev.hearth.spi.shuffle;

import dev.hearth.spi.settings.SettingKey;
import java.time.Duration;
import java.util.List;

/** Settings by which an application and a worker agree on a shuffle service: {@code hearth.shuffle.service.*}. */
public final class ShuffleServiceSettings {
    public static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.shuffle.service.enabled",
            false,
            "Whether workers of a standalone cluster serve the map outputs of executors, also of those that have ended."
                    + " Holds for the worker and for the application; executors are refused where only the application"
                    + " has it.");
    public static final SettingKey<Boolean> REMOVES = SettingKey.flag(
            "hearth.shuffle.service.removeShuffle",
            true,
            "With a shuffle service: whether it removes the files of a shuffle as soon as no dataset needs them;"
                    + " otherwise they stay until the application ends.");
    public static final SettingKey<Duration> AWAY_MAX = SettingKey.duration(
            "hearth.shuffle.service.awayMax",
            Duration.ofSeconds(10),
            Duration.ZERO,
            "How long a driver tries to reach a shuffle service again whose connection is lost, because its worker may start"
                    + " again; then its map outputs count as lost.");
    public static final SettingKey<Boolean> CACHED_BLOCKS = SettingKey.flag(
                    "hearth.shuffle.service.fetch.rdd.enabled",
                    false,
                    "Spark's setting for cached blocks on the shuffle service, which Hearth does not support; setting it"
                            + " is refused.")
            .obeying("false, as cached blocks stay with their executors; replicate them instead", on -> !on);

    /** Settings of applications. */
    public static final List<SettingKey<?>> KEYS = List.of(ENABLED, REMOVES, AWAY_MAX, CACHED_BLOCKS);

    private ShuffleServiceSettings() {}
}
