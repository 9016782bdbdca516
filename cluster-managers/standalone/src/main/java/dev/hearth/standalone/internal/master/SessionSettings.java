package dev.hearth.standalone.internal.master;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Times for which a master keeps what belongs to a connection that has ended, until it comes back over another one.
 * {@code recoveryTimeout} is the time for workers that a former master had. Read from {@code hearth.deploy.*}. Immutable.
 */
public record SessionSettings(Duration workerGrace, Duration applicationGrace, Duration recoveryTimeout) {
    private static final SettingKey<Duration> WORKER_GRACE = SettingKey.duration(
            "hearth.deploy.workerGrace",
            Duration.ofSeconds(10),
            Duration.ZERO,
            "Time for which a master keeps the drivers and executors of a worker whose connection has ended, before it"
                    + " considers the worker lost.");
    private static final SettingKey<Duration> APPLICATION_GRACE = SettingKey.duration(
            "hearth.deploy.applicationGrace",
            Duration.ofSeconds(30),
            Duration.ZERO,
            "Time for which a master keeps the executors of an application whose connection has ended, and for which a"
                    + " new master keeps executors of applications that have not registered again.");
    private static final SettingKey<Duration> RECOVERY_TIMEOUT = SettingKey.duration(
                    "hearth.deploy.recoveryTimeout",
                    Duration.ofSeconds(60),
                    Duration.ZERO,
                    "Time after the start of a master in which the workers of the one before register again. Drivers of"
                            + " the others are then lost, or start again elsewhere if they are supervised.")
            .withoutDefault("hearth.worker.timeout");

    static final List<SettingKey<?>> KEYS = List.of(WORKER_GRACE, APPLICATION_GRACE, RECOVERY_TIMEOUT);

    static SessionSettings read(SettingsReader in, Duration workerTimeout) {
        return new SessionSettings(
                in.read(WORKER_GRACE),
                in.read(APPLICATION_GRACE),
                in.find(RECOVERY_TIMEOUT).orElse(workerTimeout));
    }
}
