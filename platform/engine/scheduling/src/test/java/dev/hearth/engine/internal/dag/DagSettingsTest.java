package dev.hearth.engine.internal.dag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DagSettingsTest {
    @Test
    void hasSparksDefaults() {
        assertEquals(
                new DagSettings(4, Integer.MAX_VALUE, false, 1_000, Duration.ofSeconds(15), 40, Duration.ofDays(365)),
                DagSettings.from(Settings.empty()));
    }

    @Test
    void readsWhatIsSetAndRefusesAllThatIsWrongAtOnce() {
        DagSettings read = DagSettings.from(Settings.empty()
                .with(
                        "--conf",
                        Map.of(
                                "hearth.stage.maxConsecutiveAttempts", "2",
                                "hearth.files.fetchFailure.unRegisterOutputOnHost", "true",
                                "hearth.barrier.sync.timeout", "5m")));
        assertEquals(2, read.consecutiveAttemptsMax());
        assertTrue(read.hostsLoseOutputs());
        assertEquals(Duration.ofMinutes(5), read.barrierTimeout());

        Settings wrong = Settings.empty()
                .with("--conf", Map.of("hearth.stage.maxAttempts", "0", "hearth.barrier.sync.timeout", "soon"));
        String message = String.valueOf(assertThrows(HearthException.class, () -> DagSettings.from(wrong))
                .getMessage());
        assertTrue(message.contains("hearth.stage.maxAttempts") && message.contains("hearth.barrier.sync.timeout"));
    }
}
