package dev.hearth.engine.internal.driver;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.settings.Problems;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.OptionalInt;

/** What the driver of one application goes by. Read from {@code hearth.task.*}, {@code hearth.executor.*} and a few more. */
record EngineSettings(
        int taskFailuresMax,
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        int executorsMax,
        OptionalInt executorsWanted,
        OptionalInt parallelism,
        String driverHost,
        int driverPort) {
    EngineSettings {
        Duration floor = heartbeatInterval.multipliedBy(3);
        new Problems("hearth")
                .expect(
                        heartbeatInterval.toMillis() >= 100,
                        "executor.heartbeatInterval",
                        heartbeatInterval,
                        "at least 100ms")
                .expect(
                        heartbeatTimeout.compareTo(floor) >= 0,
                        "network.timeout",
                        heartbeatTimeout,
                        "at least 3 x hearth.executor.heartbeatInterval = " + floor)
                .throwIfAny();
    }

    static EngineSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int failures = in.integer("hearth.task.maxFailures", 4, 1);
        Duration interval = in.duration("hearth.executor.heartbeatInterval", Duration.ofSeconds(10));
        Duration timeout = in.duration("hearth.network.timeout", Duration.ofMinutes(2));
        int max = in.integer("hearth.executor.max", 10_000, 1);
        int instances = in.integer("hearth.executor.instances", 0, 1);
        int parallelism = in.integer("hearth.default.parallelism", 0, 1);
        String host = in.text("hearth.driver.host", "127.0.0.1");
        int port = in.integer("hearth.driver.port", 0, 0);
        in.finish();
        return new EngineSettings(
                failures, interval, timeout, max, orEmpty(instances), orEmpty(parallelism), host, port);
    }

    Demand demand() {
        return executorsWanted.isPresent() ? Demand.of(executorsWanted.getAsInt()) : Demand.ALL;
    }

    private static OptionalInt orEmpty(int value) {
        return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
    }
}
