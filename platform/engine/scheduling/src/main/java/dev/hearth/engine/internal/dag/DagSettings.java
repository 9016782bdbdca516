package dev.hearth.engine.internal.dag;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the stage scheduler, read from {@code hearth.stage.*}, {@code hearth.scheduler.*} and a few other keys.
 */
public record DagSettings(
        int consecutiveAttemptsMax,
        int attemptsMax,
        boolean hostsLoseOutputs,
        int cancelledGroupsMax,
        Duration slotCheckInterval,
        int slotCheckFailuresMax,
        Duration barrierTimeout) {
    private static final SettingKey<Integer> CONSECUTIVE_ATTEMPTS = SettingKey.integer(
            "hearth.stage.maxConsecutiveAttempts",
            4,
            1,
            Integer.MAX_VALUE,
            "Attempts at a stage that may fail in a row, by fetch failure or broken barrier, before its jobs fail.");
    private static final SettingKey<Integer> ATTEMPTS = SettingKey.integer(
            "hearth.stage.maxAttempts",
            Integer.MAX_VALUE,
            1,
            Integer.MAX_VALUE,
            "Attempts at a stage in all, whatever made them fail, before its jobs fail.");
    private static final SettingKey<Boolean> UNREGISTER_HOST = SettingKey.flag(
            "hearth.files.fetchFailure.unRegisterOutputOnHost",
            false,
            "Whether a fetch failure unregisters all map outputs on the host instead of those on the executor.");
    private static final SettingKey<Integer> CANCELLED_GROUPS = SettingKey.integer(
            "hearth.scheduler.numCancelledJobGroupsToTrack",
            1_000,
            1,
            1_000_000,
            "Maximum number of remembered job groups that were cancelled together with their future jobs; the"
                    + " oldest are forgotten first.");
    private static final SettingKey<Duration> SLOT_CHECK_INTERVAL = SettingKey.duration(
            "hearth.scheduler.barrier.maxConcurrentTasksCheck.interval",
            Duration.ofSeconds(15),
            Duration.ofSeconds(1),
            "Time between two checks whether the slots for a barrier stage are available.");
    private static final SettingKey<Integer> SLOT_CHECK_FAILURES = SettingKey.integer(
            "hearth.scheduler.barrier.maxConcurrentTasksCheck.maxFailures",
            40,
            0,
            Integer.MAX_VALUE,
            "How many checks for the slots of a barrier stage may fail before its job fails.");
    private static final SettingKey<Duration> BARRIER_TIMEOUT = SettingKey.duration(
            "hearth.barrier.sync.timeout",
            Duration.ofDays(365),
            Duration.ofSeconds(1),
            "How long a barrier task waits for the others of its stage.");

    public static final List<SettingKey<?>> KEYS = List.of(
            CONSECUTIVE_ATTEMPTS,
            ATTEMPTS,
            UNREGISTER_HOST,
            CANCELLED_GROUPS,
            SLOT_CHECK_INTERVAL,
            SLOT_CHECK_FAILURES,
            BARRIER_TIMEOUT);

    public static DagSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        DagSettings read = new DagSettings(
                in.read(CONSECUTIVE_ATTEMPTS),
                in.read(ATTEMPTS),
                in.read(UNREGISTER_HOST),
                in.read(CANCELLED_GROUPS),
                in.read(SLOT_CHECK_INTERVAL),
                in.read(SLOT_CHECK_FAILURES),
                in.read(BARRIER_TIMEOUT));
        in.finish();
        return read;
    }
}
