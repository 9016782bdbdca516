package dev.hearth.kubernetes.internal.manager;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.client.OpenServers;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.settings.Settings;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesManagerTest {
    private static final MasterUrl MASTER = MasterUrl.parse("k8s://https://10.0.0.1:6443");
    private final KubernetesManager manager = new KubernetesManager("1.0", new OpenServers(), Map.of());

    private void check(Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>(
                Map.of("hearth.kubernetes.container.image", "hearth:1", "hearth.driver.host", "192.0.2.1"));
        values.putAll(given);
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi")
                .settings(Settings.empty().with("test", values))
                .build();
        manager.check(plan, MASTER, DeployMode.CLIENT);
    }

    private String refusal(String setting, String value) {
        HearthException refused = assertThrows(HearthException.class, () -> check(Map.of(setting, value)));
        assertEquals("BAD_SETTING", refused.code());
        return refused.getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"k8s", "k8s://https://h:6443", "k8s://h:6443", "k8s://http://127.0.0.1:8001"})
    void acceptsAddresses(String url) {
        assertDoesNotThrow(() -> manager.validate(MasterUrl.parse(url)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"k8s://a b", "k8s://https://", "k8s://h:port", "k8s[2]"})
    void refusesOtherTexts(String url) {
        assertThrows(HearthException.class, () -> manager.validate(MasterUrl.parse(url)));
    }

    @Test
    void authenticatesExecutorsWithASecretOfTheirOwn() {
        Map<String, String> defaults = manager.defaults(MASTER);
        assertEquals("true", defaults.get("hearth.authenticate"));
        assertFalse(defaults.get("hearth.authenticate.applicationSecret")
                .equals(manager.defaults(MASTER).get("hearth.authenticate.applicationSecret")));
        assertEquals("2", defaults.get("hearth.executor.instances"));
    }

    @Test
    void acceptsItsSettings() {
        assertDoesNotThrow(() ->
                check(Map.of("hearth.kubernetes.namespace", "spark", "spark.kubernetes.executor.label.team", "blue")));
    }

    @Test
    void refusesSettingsWithoutEffect() {
        assertTrue(refusal("spark.kubernetes.executor.rollInterval", "10s").contains("is not supported"));
        assertTrue(refusal("spark.kubernetes.allocation.batch.size", "0").contains("allocation.batch.size"));
        assertTrue(refusal("hearth.kubernetes.driver.pod.featureSteps", "a.B").contains("patchFile"));
    }

    @Test
    void refusesAnAddressThatPodsDoNotReach() {
        assertTrue(refusal("hearth.driver.host", "127.0.0.1").contains("an address of this machine that pods"));
        assertTrue(refusal("hearth.authenticate", "false").contains("not supported on Kubernetes"));
    }

    @Test
    void refusesABoundOfRestartsThatTheNodeDoesNotKnow() {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi")
                .settings(Settings.empty()
                        .with(
                                "test",
                                Map.of(
                                        "hearth.kubernetes.container.image", "hearth:1",
                                        "hearth.driver.supervise", "true",
                                        "hearth.driver.supervise.maxRestarts", "3")))
                .build();
        HearthException refused =
                assertThrows(HearthException.class, () -> manager.check(plan, MASTER, DeployMode.CLUSTER));
        assertTrue(refused.getMessage().startsWith("hearth.driver.supervise.maxRestarts: is not supported"));
    }

    @Test
    void knowsBothDeployModes() {
        assertEquals(Set.of(DeployMode.CLIENT, DeployMode.CLUSTER), manager.deployModes());
    }

    @Test
    void rehearsesASubmissionAndADriver() throws Exception {
        manager.prepare(); // fails if the server of the rehearsal does not get to the end of both
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(temporary, "hearth-rehearsal-*")) {
            assertFalse(left.iterator().hasNext(), "temporary files are left");
        }
    }
}
