package dev.hearth.kubernetes.internal.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each setting of Spark for Kubernetes, those of its first version on Kubernetes included, is declared here, or is refused
 * with advice. A member stands for its family.
 */
class SparkSettingsOfKubernetesTest {
    private static final String ADVICE = "docs/configuration.md); ";

    private static List<String> keysOfSpark() throws IOException {
        try (InputStream in =
                SparkSettingsOfKubernetesTest.class.getResourceAsStream("/spark/kubernetes-settings.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static boolean isDeclared(String key) {
        String own = key.replaceFirst("^spark\\.", "hearth.");
        return new KubernetesSettings()
                .keys().stream()
                        .map(SettingKey::name)
                        .anyMatch(name -> name.equals(own)
                                || (name.endsWith(SettingKey.FAMILY)
                                        && own.startsWith(name.substring(0, name.length() - 1))));
    }

    private static String refusal(Map<String, String> given) {
        return assertThrows(HearthException.class, () -> check(given)).getMessage();
    }

    private static void check(Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>(
                Map.of("hearth.kubernetes.container.image", "hearth:1", "hearth.driver.host", "192.0.2.1"));
        values.putAll(given);
        SettingCheck.check(Settings.empty().with("test", values), false, DeployMode.CLIENT);
    }

    @Test
    void eachSettingHasAnEffectOrAdvice() throws IOException {
        List<String> silent = new ArrayList<>();
        int advised = 0;
        for (String key : keysOfSpark()) {
            if (isDeclared(key)) {
                continue;
            }
            advised++;
            String words = refusal(Map.of(key, "1"));
            String own = key.replaceFirst("^spark\\.", "hearth.");
            int advice = words.indexOf(ADVICE);
            boolean isAdvised = words.contains(own + ": is not supported")
                    && advice > 0
                    && words.substring(advice + ADVICE.length()).length() > "remove it".length() + 10;
            if (!isAdvised) {
                silent.add(key + " -> " + words);
            }
        }
        assertEquals(List.of(), silent);
        assertTrue(advised > 30, advised + " settings with advice");
    }

    /** A setting, and words of the advice. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "spark.kubernetes.file.upload.path | without a store",
                "spark.kubernetes.executor.pod.featureSteps | patchFile",
                "spark.kubernetes.initcontainer.docker.image | no init container",
                "spark.kubernetes.resourceStagingServer.uri | no staging server",
                "spark.kubernetes.shuffle.namespace | shuffleTracking",
                "spark.kubernetes.executor.eventProcessingInterval | without snapshots",
                "spark.kubernetes.kerberos.krb5.path | Hadoop client",
                "spark.kubernetes.scheduler.volcano.podGroupTemplateFile | scheduler.name",
                "spark.kubernetes.never.heard.of | remove it",
            })
    void namesTheWayOut(String key, String words) {
        String refusal = refusal(Map.of(key, "x"));
        assertTrue(refusal.contains(words), refusal);
    }

    /** Values that are refused, and words of the refusal. */
    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "allocation.pods.allocator | statefulset | direct",
                "allocation.batch.size | 0 | allocation.batch.size",
                "executor.keepFailed | 101 | executor.keepFailed",
                "executor.decommissionLabel | spark-role | does not set itself",
                "executor.decommissionLabelValue | x | not set without",
                "executor.useDriverPodIP | false | in client mode",
                "executor.labels | nonsense | name=value",
                "driver.pod.excludedFeatureSteps | org.apache.spark.deploy.k8s.features.BasicDriverFeatureStep | DriverServiceFeatureStep",
            })
    void refusesValuesWithoutAnEffect(String key, String value, String words) {
        String refusal = key.startsWith("driver.pod")
                ? assertThrows(
                                HearthException.class,
                                () -> SettingCheck.check(
                                        Settings.empty()
                                                .with(
                                                        "test",
                                                        Map.of(
                                                                "hearth.kubernetes.container.image",
                                                                "hearth:1",
                                                                "spark.kubernetes." + key,
                                                                value)),
                                        false,
                                        DeployMode.CLUSTER))
                        .getMessage()
                : refusal(Map.of("spark.kubernetes." + key, value));
        assertTrue(refusal.contains(words), refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spark.driver.host", "spark.driver.bindAddress"})
    void refusesAnAddressOfTheDriverInClusterMode(String key) {
        Settings settings = Settings.empty()
                .with("test", Map.of("hearth.kubernetes.container.image", "hearth:1", key, "192.0.2.1"));
        HearthException refused =
                assertThrows(HearthException.class, () -> SettingCheck.check(settings, false, DeployMode.CLUSTER));
        assertTrue(refused.getMessage().contains(key + " is not supported in Kubernetes mode"), refused::getMessage);
    }

    @Test
    void refusesToFollowPodsInNoWay() {
        String refusal = refusal(Map.of(
                "spark.kubernetes.executor.enableApiWatcher", "false",
                "spark.kubernetes.executor.enableApiPolling", "false"));
        assertTrue(refusal.contains("true if pods are not watched"), refusal);
    }

    @Test
    void usesFormerNamesAndNamesThePresentOnes() {
        Settings given = Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "spark.kubernetes.executor.docker.image", "old:1",
                                "spark.kubernetes.docker.image.pullPolicy", "Always",
                                "hearth.kubernetes.container.image.pullPolicy", "Never",
                                "spark.kubernetes.memoryOverheadFactor", "0.3",
                                "hearth.driver.memoryOverheadFactor", "0.2",
                                "spark.kubernetes.executor.labels", "team=blue,tier=2"));
        Settings resolved = FormerSettings.resolved(given);

        assertEquals(
                "old:1",
                resolved.find("hearth.kubernetes.executor.container.image").orElse(""));
        assertEquals(
                "Never",
                resolved.find("hearth.kubernetes.container.image.pullPolicy").orElse(""));
        assertEquals(
                "0.3", resolved.find("hearth.executor.memoryOverheadFactor").orElse(""));
        assertEquals("0.2", resolved.find("hearth.driver.memoryOverheadFactor").orElse(""));
        assertEquals(
                "blue", resolved.find("hearth.kubernetes.executor.label.team").orElse(""));
        assertEquals("2", resolved.find("hearth.kubernetes.executor.label.tier").orElse(""));
        assertEquals(4, FormerSettings.hints(given).size());
        assertEquals(List.of(), FormerSettings.hints(resolved));
    }

    @Test
    void givesPodsTheMemoryOfFormerNames() {
        Settings given = Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.executor.memory", "1g",
                                "spark.kubernetes.executor.memoryOverhead", "100m"));
        ExecutorProfile ofEngine = ExecutorProfile.of(given); // the engine does not know the former name
        SettingsReader in = new SettingsReader(FormerSettings.resolved(given));
        ExecutorProfile profile = KubernetesManager.withMemory(ofEngine, ContainerSize.ofExecutor(in));
        assertEquals(100, profile.memory().overheadMebibytes());
        assertEquals(384, ofEngine.memory().overheadMebibytes(), "the least of the default");
    }
}
