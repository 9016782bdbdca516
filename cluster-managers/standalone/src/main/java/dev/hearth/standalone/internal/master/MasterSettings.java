package dev.hearth.standalone.internal.master;

import dev.hearth.spi.settings.Problems;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;

/** What a master goes by. Read from {@code hearth.worker.timeout} and {@code hearth.deploy.*}. */
public record MasterSettings(
        Duration workerTimeout,
        int executorFailuresMax,
        int workersMax,
        int waitingDriversMax,
        int applicationsMax,
        int endedDriversKept) {
    public static final MasterSettings DEFAULTS =
            new MasterSettings(Duration.ofSeconds(60), 10, 10_000, 1_000, 1_000, 200);

    public MasterSettings {
        new Problems("hearth")
                .expect(workerTimeout.toMillis() >= 300, "worker.timeout", workerTimeout, "at least 300ms")
                .throwIfAny();
    }

    public static MasterSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Duration timeout = in.duration("hearth.worker.timeout", DEFAULTS.workerTimeout);
        int failures = in.integer("hearth.deploy.maxExecutorRetries", DEFAULTS.executorFailuresMax, 1);
        int workers = in.integer("hearth.deploy.workersMax", DEFAULTS.workersMax, 1);
        int waiting = in.integer("hearth.deploy.maxDrivers", DEFAULTS.waitingDriversMax, 1);
        int applications = in.integer("hearth.deploy.applicationsMax", DEFAULTS.applicationsMax, 1);
        int kept = in.integer("hearth.deploy.retainedDrivers", DEFAULTS.endedDriversKept, 0);
        in.finish();
        return new MasterSettings(timeout, failures, workers, waiting, applications, kept);
    }

    /** How often workers are told to report: three times within the time-out, and once to spare. */
    Duration heartbeat() {
        return workerTimeout.dividedBy(4);
    }
}
