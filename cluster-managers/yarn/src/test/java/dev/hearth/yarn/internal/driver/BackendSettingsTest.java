package dev.hearth.yarn.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.allocator.AllocatorRules;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of the allocator by the settings of an application. */
class BackendSettingsTest {
    @Test
    void boundsFailuresOnANodeByTheSettingsOfExclusion() {
        BackendSettings parts = BackendSettings.from(Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.yarn.exclude.nodes", "bad1,bad2",
                                "hearth.yarn.executor.launch.excludeOnFailure.enabled", "true",
                                "hearth.excludeOnFailure.application.maxFailedExecutorsPerNode", "5",
                                "hearth.excludeOnFailure.timeout", "7m",
                                "hearth.executor.maxNumFailures", "9")));

        assertEquals(
                new AllocatorRules.Exclusion(Set.of("bad1", "bad2"), true, 5, Duration.ofMinutes(7)),
                parts.exclusion());
        assertEquals(OptionalInt.of(9), parts.failures().max());
    }

    @Test
    void excludesNoNodeByDefault() {
        AllocatorRules.Exclusion exclusion =
                BackendSettings.from(Settings.empty()).exclusion();

        assertEquals(AllocatorRules.DEFAULTS.exclusion(), exclusion);
    }
}
