package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Profiles of executors and sizes of containers, from settings. */
class ExecutorProfileTest {
    @Test
    void hasTheDefaultsOfSpark() {
        ExecutorProfile profile = ExecutorProfile.of(Settings.empty());
        assertEquals(ProfileId.DEFAULT, profile.id());
        assertEquals(OptionalInt.empty(), profile.cores());
        assertEquals(new ContainerSize(1024, 0, 384), profile.memory());
        assertEquals(1408, profile.memory().total());
        assertEquals(Map.of(), profile.resources());
        assertEquals(Map.of(), profile.environment());
        assertEquals(new ContainerSize(1024, 0, 384), driver(Map.of()));
    }

    @Test
    void readsCoresMemoryEnvironmentAndResources() {
        ExecutorProfile profile = ExecutorProfile.of(settings(Map.of(
                "hearth.executor.cores", "4",
                "hearth.executor.memory", "2g",
                "hearth.executorEnv.MODE", "fast",
                "hearth.executor.resource.gpu.amount", "2",
                "hearth.executor.resource.gpu.discoveryScript", "/opt/gpus",
                "hearth.executor.resource.gpu.addresses", "0, 1",
                "hearth.executor.resource.gpu.vendor", "nvidia.com",
                "hearth.executor.resource.fpga.amount", "0")));
        assertEquals(OptionalInt.of(4), profile.cores());
        assertEquals(2048, profile.memory().heapMebibytes());
        assertEquals(Map.of("MODE", "fast"), profile.environment());
        assertEquals(
                Map.of("gpu", new ResourceRequest("gpu", 2, List.of("0", "1"), "/opt/gpus", "nvidia.com")),
                profile.resources());
    }

    @ParameterizedTest
    @CsvSource({
        "1g, , , , 384",
        "8g, , , , 819", // a tenth, rounded down
        "8g, , 0.4, , 3276",
        "1g, , , 1g, 1024",
        "8g, 100, , , 100", // a number without unit counts MiB
        "8g, 0, , , 0",
        "8g, 2g, 0.4, 1g, 2048"
    })
    void addsTheOverheadOfSpark(String memory, String overhead, String factor, String least, int expected) {
        for (String process : List.of("executor", "driver")) {
            Settings settings = with(Settings.empty(), process + ".memory", memory);
            settings = with(settings, process + ".memoryOverhead", overhead);
            settings = with(settings, process + ".memoryOverheadFactor", factor);
            settings = with(settings, process + ".minMemoryOverhead", least);
            SettingsReader in = new SettingsReader(settings);
            ContainerSize size = process.equals("driver") ? ContainerSize.ofDriver(in) : ContainerSize.ofExecutor(in);
            in.finish();
            assertEquals(expected, size.overheadMebibytes(), process);
        }
    }

    @Test
    void refusesBadValuesTogether() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> ExecutorProfile.of(settings(Map.of(
                        "hearth.executor.memoryOverheadFactor", "-1",
                        "hearth.executor.extraJavaOptions", "-Xmx1g",
                        "hearth.executorEnv.HEARTH_HOME", "/",
                        "hearth.executor.resource.gpu.amount", "0.5",
                        "hearth.executor.resource.gpu.driver", "x",
                        "hearth.resources.discoveryPlugin", "org.example.Plugin"))));
        assertEquals(ErrorCode.BAD_SETTING.name(), failure.code());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("6 invalid settings:"), message);
        assertTrue(message.contains("org.example.Plugin (expected: org.apache.spark.resource."), message);
    }

    @Test
    void refusesAMachineWithTooFewAddresses() {
        ResourceRequest request = new ResourceRequest("gpu", 2, List.of(), "", "");
        assertEquals(List.of("a", "b"), request.choose("executor 1", List.of("a", "b", "c")));
        HearthException failure = assertThrows(HearthException.class, () -> request.choose("executor 1", List.of("a")));
        assertEquals(ErrorCode.RESOURCE_MISSING.name(), failure.code());
        assertEquals(
                "executor 1: 1 addresses of resource gpu [a] (expected: at least 2); lower the amount, or use"
                        + " machines that have more",
                failure.getMessage());
    }

    private static ContainerSize driver(Map<String, String> values) {
        SettingsReader in = new SettingsReader(settings(values));
        ContainerSize size = ContainerSize.ofDriver(in);
        in.finish();
        return size;
    }

    private static Settings settings(Map<String, String> values) {
        return Settings.empty().with("test", values);
    }

    private static Settings with(Settings settings, String key, String value) {
        return value == null ? settings : settings.with("test", "hearth." + key, value);
    }
}
