package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Defaults and validation of the master's settings. */
class MasterSettingsTest {
    @Test
    void hasSparksDefaults() {
        DriverBounds drivers = new DriverBounds(
                Integer.MAX_VALUE, 10_000, 1_048_576, 200, Duration.ofMinutes(15), 200_000, Duration.ofHours(1));
        PlacementSettings placement =
                new PlacementSettings(true, SelectionPolicy.CORES_FREE_DESC, true, OptionalInt.empty());
        SessionSettings sessions =
                new SessionSettings(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1));
        assertEquals(
                new MasterSettings(
                        Duration.ofMinutes(1),
                        10,
                        10_000,
                        1,
                        drivers,
                        placement,
                        1_000,
                        15,
                        200,
                        1_000,
                        new IdSettings("driver-%s-%04d", "app-%s-%04d", OptionalInt.empty(), false, false),
                        sessions),
                MasterSettings.DEFAULTS);
        assertEquals(Duration.ofMinutes(15), MasterSettings.DEFAULTS.lostWorkerRetention());
    }

    @Test
    void rejectsATooShortTimeout() {
        Settings settings = Settings.empty().with("--conf", "spark.worker.timeout", "100ms");
        HearthException failure = assertThrows(HearthException.class, () -> MasterSettings.from(settings));
        assertEquals(
                "hearth.worker.timeout: 100ms (expected: a time such as 250ms, 10s, 2m or 1h, from 300ms to 365d);"
                        + " from --conf",
                failure.getMessage());
        assertEquals(
                Duration.ofSeconds(30),
                MasterSettings.from(settings.with("--conf", "hearth.worker.timeout", "30"))
                        .workerTimeout());
    }
}
