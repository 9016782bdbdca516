package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Variables of a submitter that reach its driver, and those that do not. */
class SubmitterEnvironmentTest {
    @Test
    void carriesVariablesOfSparkAndHearthAlone() {
        assertEquals(
                Map.of("SPARK_USER", "ann", "HEARTH_TEAM", "blue", "SPARK_TESTING", ""),
                SubmitterEnvironment.carried(
                        Map.of("SPARK_USER", "ann", "HEARTH_TEAM", "blue", "SPARK_TESTING", "", "PATH", "/bin"),
                        Settings.empty()));
    }

    @Test
    void leavesWhatDescribesTheMachineOrSetsASetting() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String end : new String[] {
            "HOME", "CONF_DIR", "ENV_LOADED", "LOCAL_IP", "LOCAL_HOSTNAME", "LOCAL_DIRS", "LOG_DIR", "PID_DIR"
        }) {
            environment.put("SPARK_" + end, "x");
            environment.put("HEARTH_" + end, "x");
        }
        environment.put("HEARTH_GIVEN_PATH", "x");
        environment.put("HEARTH_TMPDIR", "/t");
        environment.put("HEARTH_ORDERS", "/o");
        environment.put("HEARTH_CDS_ARCHIVE", "x");
        environment.put("SPARK_WORKER_DIR", "x"); // sets hearth.worker.dir, so the settings carry it
        assertEquals(Map.of(), SubmitterEnvironment.carried(environment, Settings.empty()));
    }

    @Test
    void leavesSecrets() {
        Settings settings = Settings.empty().with("test", "hearth.store.password", "the-password-of-the-store");
        assertEquals(
                Map.of("SPARK_A", "plain"),
                SubmitterEnvironment.carried(
                        Map.of(
                                "SPARK_A", "plain",
                                "SPARK_URL", "x://the-password-of-the-store@host",
                                "HEARTH_AUTHENTICATE_SECRET", "another secret"),
                        settings));
    }
}
