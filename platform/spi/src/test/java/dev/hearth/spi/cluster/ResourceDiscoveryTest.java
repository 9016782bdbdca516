package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses from discovery scripts, from files of the form of Spark's, and from cluster managers. */
class ResourceDiscoveryTest {
    @TempDir
    private Path directory;

    @Test
    void runsAScript() throws Exception {
        String script = script("echo '{\"name\": \"gpu\", \"addresses\": [\"0\", \"GPU-\\u0031\", 2]}'");
        assertEquals(
                Map.of("gpu", new ResourceInformation("gpu", List.of("0", "GPU-1"))),
                find(new ResourceRequest("gpu", 2, List.of(), script, ""), Map.of()));
    }

    @Test
    void prefersWhatTheClusterManagerHasChosen() {
        ResourceRequest request = new ResourceRequest("gpu", 1, List.of("8", "9"), "/no/such/script", "");
        assertEquals(List.of("8"), find(request, Map.of()).get("gpu").addresses());
        Map<String, ResourceInformation> chosen = Map.of("gpu", new ResourceInformation("gpu", List.of("3")));
        assertEquals(chosen, find(request, chosen));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 3 | exit status 3 (expected: 0",
                "echo nonsense here | JSON, character 10 (expected: the end of the text) in its output 'nonsense here'",
                "echo '{\"name\":\"fpga\",\"addresses\":[]}' | resource fpga (expected: gpu)",
                "echo '{\"name\":\"gpu\",\"addresses\":[\"1\",\"1\"]}' | expected: each of them once",
                "echo '{\"name\":\"gpu\",\"addresses\":[\"1,2\"]}' | expected: none empty or with a comma",
                "echo '{\"name\":\"gpu\",\"addresses\":[\"1\"]}' | 1 addresses of resource gpu [1] (expected: at least 2)",
                "echo '{\"name\":\"gpu\"}' | (expected: an array)",
                "head -c 2000000 /dev/zero | too much output (expected: at most 1048576 bytes)",
            })
    void saysWhatIsWrongWithAScript(String line, String expected) throws Exception {
        String message = refusal(new ResourceRequest("gpu", 2, List.of(), script(line), ""));
        assertTrue(message.startsWith("executor 1: ") && message.contains(expected), message);
    }

    @Test
    void endsAScriptThatDoesNot() throws Exception {
        String message = refusal(
                new ResourceRequest("gpu", 2, List.of(), script("tail -f /dev/null"), ""), Duration.ofMillis(100));
        assertTrue(message.contains("still running after 100 ms"), message);
    }

    @Test
    void saysThatThereIsNoScript() {
        assertTrue(refusal(new ResourceRequest("gpu", 2, List.of(), "", ""))
                .startsWith("executor 1: resource gpu: no addr"));
        assertTrue(refusal(new ResourceRequest("gpu", 2, List.of(), directory + "/none", ""))
                .contains("discovery script " + directory + "/none: "));
    }

    @Test
    void readsTheResourcesFileOfAWorker() throws Exception {
        Path file = Files.writeString(directory.resolve("resources.json"), """
                [ {"id": {"componentName": "spark.worker", "resourceName": "gpu"}, "addresses": ["0", "1"]},
                  {"id": {"componentName": "spark.worker", "resourceName": "fpga"}, "addresses": []},
                  {"id": {"componentName": "spark.driver", "resourceName": "gpu"}, "addresses": ["7"]} ]
                """);
        assertEquals(
                Map.of(
                        "gpu", new ResourceInformation("gpu", List.of("0", "1")),
                        "fpga", new ResourceInformation("fpga", List.of())),
                ResourceDiscovery.ofFile(file, "spark.worker"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[1]", "[{\"id\": {}}", "[{\"id\":{\"componentName\":\"spark.worker\"}}]"})
    void refusesADamagedResourcesFile(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("resources.json"), text);
        HearthException failure =
                assertThrows(HearthException.class, () -> ResourceDiscovery.ofFile(file, "spark.worker"));
        assertEquals(ErrorCode.RESOURCE_MISSING.name(), failure.code());
    }

    private String script(String line) throws Exception {
        Path file = Files.writeString(directory.resolve("script"), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file.toString();
    }

    private static Map<String, ResourceInformation> find(
            ResourceRequest request, Map<String, ResourceInformation> chosen) {
        return ResourceDiscovery.find("executor 1", Map.of(request.name(), request), chosen);
    }

    private static String refusal(ResourceRequest request) {
        return refusal(request, ResourceDiscovery.SCRIPT_TIME_MAX);
    }

    private static String refusal(ResourceRequest request, Duration bound) {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> ResourceDiscovery.find("executor 1", Map.of("gpu", request), Map.of(), bound));
        assertEquals(ErrorCode.RESOURCE_MISSING.name(), failure.code());
        return String.valueOf(failure.getMessage());
    }
}
