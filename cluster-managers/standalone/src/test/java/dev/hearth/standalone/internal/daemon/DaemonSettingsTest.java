package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of workers, and the signal that decommissions them. */
class DaemonSettingsTest {
    @Test
    void givesWorkersIdsInTheChosenForm() {
        String stamp = "20261118094746";
        assertEquals(
                "worker-20261118094746-10.0.0.1-7078",
                DaemonSettings.workerId(read(DaemonSettings.WORKER_ID_PATTERN, ""), stamp, "10.0.0.1", 7_078));
        assertEquals(
                "my-10.0.0.1.7078",
                DaemonSettings.workerId(
                        read(DaemonSettings.WORKER_ID_PATTERN, "my-%2$s.%3$d"), stamp, "10.0.0.1", 7_078));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"my worker", "worker-%d", "worker/%s", "worker-%s-%s-%s-%s", "worker-%"})
    void refusesAFormThatMakesNoIdsOfWorkers(String pattern) {
        assertTrue(
                refusal(DaemonSettings.WORKER_ID_PATTERN, pattern).startsWith("hearth.worker.idPattern: " + pattern));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"SIGPWR", "pwr", "12"})
    void refusesWhatIsNoSignal(String name) {
        assertTrue(refusal(DaemonSettings.DECOMMISSION_SIGNAL, name)
                .startsWith("hearth.worker.decommission.signal: " + name));
    }

    private static String refusal(SettingKey<String> key, String value) {
        return String.valueOf(
                assertThrows(HearthException.class, () -> read(key, value)).getMessage());
    }

    private static String read(SettingKey<String> key, String value) {
        Settings settings =
                value.isEmpty() ? Settings.empty() : Settings.empty().with("test", key.name(), value);
        SettingsReader in = new SettingsReader(settings);
        String read = in.read(key);
        in.finish();
        return read;
    }
}
