package dev.hearth.engine.internal.allocation;

import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Settings of dynamic allocation, read from {@code hearth.dynamicAllocation.*}. If {@code cachedIdle} is empty,
 * executors with cached blocks are never released for being idle. If {@code shuffleIdle} is empty, the same holds for
 * executors with map outputs that later jobs may read.
 */
public record AllocationSettings(
        int executorsMin,
        int executorsMax,
        int executorsFirst,
        Duration backlog,
        Duration sustainedBacklog,
        Duration idle,
        Optional<Duration> cachedIdle,
        boolean tracksShuffles,
        Optional<Duration> shuffleIdle,
        double ratio,
        OptionalInt executorSlots) {
    private static final SettingKey<Integer> MIN = SettingKey.integer(
            "hearth.dynamicAllocation.minExecutors",
            0,
            0,
            Integer.MAX_VALUE,
            "With dynamic allocation: the least number of executors.");
    private static final SettingKey<Integer> MAX = SettingKey.integer(
            "hearth.dynamicAllocation.maxExecutors",
            Integer.MAX_VALUE,
            1,
            Integer.MAX_VALUE,
            "With dynamic allocation: the most executors.");
    private static final SettingKey<Integer> INITIAL = SettingKey.integer(
                    "hearth.dynamicAllocation.initialExecutors",
                    0,
                    0,
                    Integer.MAX_VALUE,
                    "With dynamic allocation: the number of executors until the first job; at least"
                            + " hearth.dynamicAllocation.minExecutors and hearth.executor.instances.")
            .withoutDefault("hearth.dynamicAllocation.minExecutors");
    private static final SettingKey<Duration> BACKLOG = SettingKey.duration(
            "hearth.dynamicAllocation.schedulerBacklogTimeout",
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            "With dynamic allocation: how long tasks wait before the first executors are added for them.");
    private static final SettingKey<Duration> SUSTAINED = SettingKey.duration(
                    "hearth.dynamicAllocation.sustainedSchedulerBacklogTimeout",
                    Duration.ofSeconds(1),
                    Duration.ofMillis(1),
                    "With dynamic allocation: how long tasks must continue to wait before twice as many executors"
                            + " are added.")
            .withoutDefault("hearth.dynamicAllocation.schedulerBacklogTimeout");
    private static final SettingKey<Duration> IDLE = SettingKey.duration(
            "hearth.dynamicAllocation.executorIdleTimeout",
            Duration.ofSeconds(60),
            Duration.ZERO,
            "With dynamic allocation: how long an executor may be idle before it is released.");
    private static final SettingKey<Duration> CACHED_IDLE = SettingKey.duration(
                    "hearth.dynamicAllocation.cachedExecutorIdleTimeout",
                    Duration.ofSeconds(60),
                    Duration.ZERO,
                    "With dynamic allocation: how long an executor that holds cached blocks may be idle before it"
                            + " is released.")
            .withoutDefault("it is never released");
    private static final SettingKey<Boolean> SHUFFLES = SettingKey.flag(
            "hearth.dynamicAllocation.shuffleTracking.enabled",
            true,
            "With dynamic allocation: whether an executor stays while its map outputs can still be read; otherwise"
                    + " they are"
                    + " computed again when they are needed.");
    private static final SettingKey<Duration> SHUFFLE_IDLE = SettingKey.duration(
                    "hearth.dynamicAllocation.shuffleTracking.timeout",
                    Duration.ofSeconds(60),
                    Duration.ZERO,
                    "With dynamic allocation: how long an executor whose map outputs can still be read may be idle"
                            + " while no job reads them.")
            .withoutDefault("until the application has dropped their datasets");
    private static final SettingKey<String> RATIO = SettingKey.number(
                    "hearth.dynamicAllocation.executorAllocationRatio",
                    "1.0",
                    "With dynamic allocation: the fraction of the executors that running all tasks at once would"
                            + " need; barrier"
                            + " stages get all.")
            .obeying("a number above 0, up to 1", AllocationSettings::isRatio);

    public static final List<SettingKey<?>> KEYS =
            List.of(MIN, MAX, INITIAL, BACKLOG, SUSTAINED, IDLE, CACHED_IDLE, SHUFFLES, SHUFFLE_IDLE, RATIO);

    /** The number of tasks that each executor runs at the same time; empty if the cluster chooses its cores. */
    private static OptionalInt slots(SettingsReader in) {
        ExecutorProfile profile = ExecutorProfile.read(in);
        TaskNeeds needs = TaskNeeds.read(in);
        return profile.cores().isPresent()
                ? OptionalInt.of(Math.max(1, needs.slots(profile.cores().getAsInt(), profile)))
                : OptionalInt.empty();
    }

    private static boolean isRatio(String text) {
        try {
            BigDecimal ratio = new BigDecimal(text.strip());
            return ratio.signum() > 0 && ratio.compareTo(BigDecimal.ONE) <= 0;
        } catch (NumberFormatException noNumber) { // not a number, so not a ratio
            return false;
        }
    }

    public static AllocationSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int min = in.read(MIN);
        int max = in.read(MAX);
        Optional<Integer> initial = in.find(INITIAL);
        int first = Math.max(
                min,
                Math.max(
                        initial.orElse(0),
                        in.find(ApplicationSettings.EXECUTOR_INSTANCES).orElse(0)));
        in.expect(min <= max, MIN, "at most " + MAX + " = " + max);
        in.expect(initial.orElse(0) <= max, INITIAL, "at most " + MAX + " = " + max);
        Duration backlog = in.read(BACKLOG);
        AllocationSettings read = new AllocationSettings(
                min,
                max,
                Math.min(first, max),
                backlog,
                in.find(SUSTAINED).orElse(backlog),
                in.read(IDLE),
                in.find(CACHED_IDLE),
                in.read(SHUFFLES),
                in.find(SHUFFLE_IDLE),
                Double.parseDouble(in.read(RATIO)),
                slots(in));
        in.finish();
        return read;
    }
}
