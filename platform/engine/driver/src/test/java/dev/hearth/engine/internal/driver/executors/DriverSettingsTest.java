package dev.hearth.engine.internal.driver.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests the defaults of the driver's settings and the values that it refuses. */
class DriverSettingsTest {
    @Test
    void hasTheDefaultsOfSpark() {
        assertEquals(
                new DriverSettings(
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(2),
                        Duration.ofMinutes(10),
                        10_000,
                        OptionalInt.empty(),
                        false,
                        ExecutorProfile.of(Settings.empty()),
                        new DecommissionSettings(false, Optional.empty()),
                        new RegistrationSettings(0, Duration.ofSeconds(30), OptionalInt.empty()),
                        OptionalInt.empty(),
                        4 * 1024 * 1024,
                        new RpcSettings.Listen("127.0.0.1", 0, "127.0.0.1", 16),
                        Duration.ofSeconds(15),
                        Optional.empty()),
                DriverSettings.from(Settings.empty()));
    }

    @Test
    void listensOnAnotherAddressThanItAnnounces() {
        Settings settings = Settings.empty()
                .with(
                        "--conf",
                        Map.of(
                                "spark.driver.host", "driver.example",
                                "spark.driver.bindAddress", "0.0.0.0",
                                "spark.driver.port", "40000",
                                "spark.port.maxRetries", "3"));
        assertEquals(
                new RpcSettings.Listen("0.0.0.0", 40_000, "driver.example", 3),
                DriverSettings.from(settings).driverPort());
    }

    @Test
    void startsWithoutExecutorsIfTheirNumberFollowsTheLoad() {
        Settings settings = Settings.empty()
                .with("--conf", Map.of("spark.executor.instances", "0", "spark.dynamicAllocation.enabled", "true"));
        assertEquals(OptionalInt.empty(), DriverSettings.from(settings).executorsWanted());
    }

    @Test
    void refusesEveryBadValueAtOnce() {
        Settings settings = Settings.empty()
                .with(
                        "--conf",
                        Map.of(
                                "spark.executor.heartbeatInterval", "60000",
                                "hearth.driver.port", "70000",
                                "spark.scheduler.minRegisteredResourcesRatio", "1.5",
                                "hearth.executor.instances", "0"));
        HearthException failure = assertThrows(HearthException.class, () -> DriverSettings.from(settings));
        assertEquals("BAD_SETTING", failure.code());
        assertEquals("""
                4 invalid settings:
                  hearth.network.timeout: 2m (expected: at least 3 x hearth.executor.heartbeatInterval = 180000ms); from default
                  hearth.executor.instances: 0 (expected: 1 or more, as hearth.dynamicAllocation.enabled is off); from --conf
                  hearth.scheduler.minRegisteredResourcesRatio: 1.5 (expected: a number from 0 to 1); from --conf
                  hearth.driver.port: 70000 (expected: a whole number, 0 to 65535); from --conf""", failure.getMessage());
    }
}
