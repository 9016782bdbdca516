package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Settings that say how many executors must register before the first task starts. Read from {@code
 * hearth.scheduler.minRegisteredResourcesRatio} and {@code hearth.scheduler.maxRegisteredResourcesWaitingTime}. {@code
 * coresRequested} is the number of cores that the application requests in total, if it says so.
 */
record RegistrationSettings(double ratio, Duration waitMax, OptionalInt coresRequested) {
    static final SettingKey<String> RATIO = SettingKey.number(
                    "hearth.scheduler.minRegisteredResourcesRatio",
                    "0.0",
                    "The fraction of the requested executors or cores that must have registered before the first task"
                            + " starts. Cluster managers may set another default.")
            .obeying("a number from 0 to 1", text -> {
                double value = Double.parseDouble(text);
                return value >= 0 && value <= 1;
            });
    static final SettingKey<Duration> WAIT_MAX = SettingKey.durationInMillis(
            "hearth.scheduler.maxRegisteredResourcesWaitingTime",
            Duration.ofSeconds(30),
            Duration.ZERO,
            "How long the first task waits for executors to register, from the start of the application, if"
                    + " hearth.scheduler.minRegisteredResourcesRatio is above 0.");

    static RegistrationSettings read(SettingsReader in) {
        Optional<Integer> cores = in.find(ApplicationSettings.CORES_MAX);
        return new RegistrationSettings(
                Double.parseDouble(in.read(RATIO)),
                in.read(WAIT_MAX),
                cores.map(OptionalInt::of).orElseGet(OptionalInt::empty));
    }
}
