package dev.hearth.engine.internal.scheduler;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Settings that say when a speculative copy of a slow task is launched. Read from {@code hearth.speculation*}. */
public record SpeculationSettings(
        boolean enabled,
        long intervalNanos,
        double multiplier,
        double quantile,
        long runNanosMin,
        OptionalLong thresholdNanos,
        boolean efficiency,
        double rateMultiplier,
        double longRunFactor) {
    private static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.speculation",
            false,
            "Launch a second copy of tasks that are slow compared with others of their stage.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.durationInMillis(
            "hearth.speculation.interval",
            Duration.ofMillis(100),
            Duration.ofMillis(1),
            "How often to search for slow tasks.");
    private static final SettingKey<String> MULTIPLIER = decimal(
            "hearth.speculation.multiplier",
            "3",
            Double.MAX_VALUE,
            "A task is slow when it has run this many times the median run time of the tasks of its stage.");
    private static final SettingKey<String> QUANTILE = decimal(
            "hearth.speculation.quantile",
            "0.9",
            1,
            "Fraction of a stage's tasks that must have succeeded before the search for slow ones begins.");
    private static final SettingKey<Duration> RUN_MIN = SettingKey.durationInMillis(
            "hearth.speculation.minTaskRuntime",
            Duration.ofMillis(100),
            Duration.ZERO,
            "A task is not slow before it has run for this long.");
    private static final SettingKey<Duration> THRESHOLD = SettingKey.durationInMillis(
                    "hearth.speculation.task.duration.threshold",
                    Duration.ofMinutes(1),
                    Duration.ZERO,
                    "In stages with no more tasks than an executor runs at a time, a task that has run this long is slow.")
            .withoutDefault("such stages wait for the quantile");
    private static final SettingKey<Boolean> EFFICIENCY = SettingKey.flag(
            "hearth.speculation.efficiency.enabled",
            false,
            "Copy a slow task only if it also reads fewer records per second than others, where that is known.");
    private static final SettingKey<String> RATE_MULTIPLIER = decimal(
            "hearth.speculation.efficiency.processRateMultiplier",
            "0.75",
            1,
            "A task is inefficient if its records per second are below this fraction of the mean.");
    private static final SettingKey<String> LONG_RUN_FACTOR = decimal(
            "hearth.speculation.efficiency.longRunTaskFactor",
            "2",
            Double.MAX_VALUE,
            "A task that has run this many times the threshold for slow tasks is copied even if it is efficient.");

    static final List<SettingKey<?>> KEYS = List.of(
            ENABLED, INTERVAL, MULTIPLIER, QUANTILE, RUN_MIN, THRESHOLD, EFFICIENCY, RATE_MULTIPLIER, LONG_RUN_FACTOR);

    private static SettingKey<String> decimal(String name, String byDefault, double most, String description) {
        String rule = most == Double.MAX_VALUE ? "a number above 0" : "a number above 0, " + most + " at most";
        return SettingKey.number(name, byDefault, description).obeying(rule, text -> {
            double value = Double.parseDouble(text);
            return value > 0 && value <= most;
        });
    }

    static SpeculationSettings read(SettingsReader in) {
        return new SpeculationSettings(
                in.read(ENABLED),
                in.read(INTERVAL).toNanos(),
                Double.parseDouble(in.read(MULTIPLIER)),
                Double.parseDouble(in.read(QUANTILE)),
                in.read(RUN_MIN).toNanos(),
                in.find(THRESHOLD)
                        .map(threshold -> OptionalLong.of(threshold.toNanos()))
                        .orElseGet(OptionalLong::empty),
                in.read(EFFICIENCY),
                Double.parseDouble(in.read(RATE_MULTIPLIER)),
                Double.parseDouble(in.read(LONG_RUN_FACTOR)));
    }
}
