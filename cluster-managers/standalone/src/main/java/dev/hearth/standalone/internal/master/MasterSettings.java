package dev.hearth.standalone.internal.master;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Timeouts and limits of a master. Read from {@code hearth.worker.timeout} and {@code hearth.deploy.*}. Immutable. */
public record MasterSettings(
        Duration workerTimeout,
        int executorFailuresMax,
        int workersMax,
        int workersPerConnectionMax,
        DriverBounds drivers,
        PlacementSettings placement,
        int applicationsMax,
        int lostWorkerTimeouts,
        int endedApplicationsKept,
        int endedExecutorsKept,
        IdSettings ids,
        SessionSettings sessions) {
    /** Maximum time in which a worker stops a process, which it kills after 10 s, and the processes that this has forked. */
    static final Duration STOP_MAX = Duration.ofSeconds(13);

    private static final int CLOCK_DRIFT_PART = 10;

    private static final SettingKey<Duration> WORKER_TIMEOUT = SettingKey.duration(
            "hearth.worker.timeout",
            Duration.ofSeconds(60),
            Duration.ofMillis(300),
            "Time without a message from a worker after which the master considers it lost.");
    private static final SettingKey<Integer> EXECUTOR_RETRIES = SettingKey.integer(
            "hearth.deploy.maxExecutorRetries",
            10,
            -1,
            Integer.MAX_VALUE,
            "Number of executors that fail soon after their start, in a row, after which the master removes their"
                    + " application; -1 stands for no limit.");
    private static final SettingKey<Integer> WORKERS_MAX = SettingKey.integer(
            "hearth.deploy.workersMax", 10_000, 1, Integer.MAX_VALUE, "Maximum number of workers of a master.");
    private static final SettingKey<Integer> WORKERS_PER_CONNECTION_MAX = SettingKey.integer(
            "hearth.deploy.workersPerConnectionMax",
            1,
            1,
            Integer.MAX_VALUE,
            "Maximum number of workers that register over one connection; a worker has a connection of its own.");
    private static final SettingKey<Integer> APPLICATIONS_MAX = SettingKey.integer(
            "hearth.deploy.applicationsMax",
            1_000,
            1,
            Integer.MAX_VALUE,
            "Maximum number of applications of a master.");
    private static final SettingKey<Integer> LOST_WORKER_TIMEOUTS = SettingKey.integer(
            "hearth.dead.worker.persistence",
            15,
            0,
            10_000,
            "Number of worker timeouts (hearth.worker.timeout) for which a master shows a lost worker as dead.");
    private static final SettingKey<Integer> ENDED_APPLICATIONS_KEPT = SettingKey.integer(
            "hearth.deploy.retainedApplications",
            200,
            0,
            Integer.MAX_VALUE,
            "Number of ended applications that a master lists, also after hearth.deploy.retainedTime.");
    private static final SettingKey<Integer> ENDED_EXECUTORS_KEPT = SettingKey.integer(
            "hearth.deploy.retainedExecutors",
            1_000,
            0,
            Integer.MAX_VALUE,
            "Number of ended executors, of all applications, that a master lists.");

    public static final List<SettingKey<?>> KEYS = Stream.of(
                    Stream.of(
                            WORKER_TIMEOUT,
                            EXECUTOR_RETRIES,
                            WORKERS_MAX,
                            WORKERS_PER_CONNECTION_MAX,
                            APPLICATIONS_MAX,
                            LOST_WORKER_TIMEOUTS,
                            ENDED_APPLICATIONS_KEPT,
                            ENDED_EXECUTORS_KEPT),
                    SessionSettings.KEYS.stream(),
                    DriverBounds.KEYS.stream(),
                    PlacementSettings.KEYS.stream(),
                    IdSettings.KEYS.stream())
            .flatMap(keys -> keys)
            .<SettingKey<?>>map(key -> key)
            .toList();

    public static final MasterSettings DEFAULTS = from(Settings.empty());

    public static MasterSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Duration workerTimeout = in.read(WORKER_TIMEOUT);
        MasterSettings read = new MasterSettings(
                workerTimeout,
                in.read(EXECUTOR_RETRIES),
                in.read(WORKERS_MAX),
                in.read(WORKERS_PER_CONNECTION_MAX),
                DriverBounds.read(in),
                PlacementSettings.read(in),
                in.read(APPLICATIONS_MAX),
                in.read(LOST_WORKER_TIMEOUTS),
                in.read(ENDED_APPLICATIONS_KEPT),
                in.read(ENDED_EXECUTORS_KEPT),
                IdSettings.read(in),
                SessionSettings.read(in, workerTimeout));
        in.finish();
        return read;
    }

    /** Returns the time for which a worker may run supervised drivers after the last heartbeat that the master answered. */
    Duration lease() {
        return workerTimeout;
    }

    /**
     * Returns the time after the last heartbeat of a lost worker in which its supervised drivers end: the lease, with a
     * tenth more because clocks differ in speed, and the time in which a worker stops a process.
     */
    Duration fence() {
        return lease().plus(lease().dividedBy(CLOCK_DRIFT_PART)).plus(STOP_MAX);
    }

    /** Returns the times for which a new master waits for what the one before has left. */
    RecoveryTimes recovery() {
        return new RecoveryTimes(sessions.recoveryTimeout(), fence());
    }

    /** Returns the time for which a lost worker is shown as dead. */
    Duration lostWorkerRetention() {
        return workerTimeout.multipliedBy(lostWorkerTimeouts);
    }

    /** Returns what a master keeps of drivers that have ended in order to recover. */
    public MasterLedger.Bounds ledgerBounds() {
        return new MasterLedger.Bounds(drivers.retained(), drivers.requestsKept(), drivers.requestsKeptTime());
    }

    /**
     * Returns the heartbeat interval of workers. It is a quarter of the timeout, so that a worker is not lost when some
     * heartbeats are late.
     */
    Duration heartbeat() {
        return workerTimeout.dividedBy(4);
    }
}
