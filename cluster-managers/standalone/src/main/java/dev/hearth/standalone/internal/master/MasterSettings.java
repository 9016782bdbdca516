package dev.hearth.standalone.internal.master;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/** What a master goes by. Read from {@code hearth.worker.timeout} and {@code hearth.deploy.*}. */
public record MasterSettings(
        Duration workerTimeout,
        int executorFailuresMax,
        int workersMax,
        int waitingDriversMax,
        int applicationsMax,
        int endedDriversKept) {
    private static final SettingKey<Duration> WORKER_TIMEOUT = SettingKey.duration(
            "hearth.worker.timeout",
            Duration.ofSeconds(60),
            Duration.ofMillis(300),
            "How long a worker may be silent before the master takes it for lost.");
    private static final SettingKey<Integer> EXECUTOR_RETRIES = SettingKey.integer(
            "hearth.deploy.maxExecutorRetries",
            10,
            1,
            Integer.MAX_VALUE,
            "Executors of one application that may end badly in a row before it is given up.");
    private static final SettingKey<Integer> WORKERS_MAX = SettingKey.integer(
            "hearth.deploy.workersMax", 10_000, 1, Integer.MAX_VALUE, "Workers that a master takes.");
    private static final SettingKey<Integer> WAITING_DRIVERS_MAX = SettingKey.integer(
            "hearth.deploy.maxDrivers", 1_000, 1, Integer.MAX_VALUE, "Drivers that may wait or run at a time.");
    private static final SettingKey<Integer> APPLICATIONS_MAX = SettingKey.integer(
            "hearth.deploy.applicationsMax", 1_000, 1, Integer.MAX_VALUE, "Applications that a master takes.");
    private static final SettingKey<Integer> ENDED_DRIVERS_KEPT = SettingKey.integer(
            "hearth.deploy.retainedDrivers", 200, 0, Integer.MAX_VALUE, "Ended drivers that a master still tells of.");

    public static final List<SettingKey<?>> KEYS = List.of(
            WORKER_TIMEOUT, EXECUTOR_RETRIES, WORKERS_MAX, WAITING_DRIVERS_MAX, APPLICATIONS_MAX, ENDED_DRIVERS_KEPT);

    public static final MasterSettings DEFAULTS = from(Settings.empty());

    public static MasterSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        MasterSettings read = new MasterSettings(
                in.read(WORKER_TIMEOUT),
                in.read(EXECUTOR_RETRIES),
                in.read(WORKERS_MAX),
                in.read(WAITING_DRIVERS_MAX),
                in.read(APPLICATIONS_MAX),
                in.read(ENDED_DRIVERS_KEPT));
        in.finish();
        return read;
    }

    /** How often workers are told to report: three times within the time-out, and once to spare. */
    Duration heartbeat() {
        return workerTimeout.dividedBy(4);
    }
}
