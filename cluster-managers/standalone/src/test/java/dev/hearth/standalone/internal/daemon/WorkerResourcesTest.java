package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Resources that a worker offers, by its settings and by a resources file. */
class WorkerResourcesTest {
    @TempDir
    private Path directory;

    @Test
    void offersNothingByDefault() {
        assertEquals(List.of(), resources(Map.of()));
    }

    @Test
    void offersWhatSettingsAndFileList() throws Exception {
        Path file = Files.writeString(directory.resolve("resources.json"), """
                [{"id": {"componentName": "spark.worker", "resourceName": "gpu"}, "addresses": ["0", "1", "2"]},
                 {"id": {"componentName": "spark.worker", "resourceName": "tpu"}, "addresses": ["t"]}]
                """);
        assertEquals(
                List.of(
                        new ResourceInformation("fpga", List.of("f")),
                        new ResourceInformation("gpu", List.of("0", "1")),
                        new ResourceInformation("tpu", List.of("t"))),
                resources(Map.of(
                        "spark.worker.resourcesFile", file.toString(),
                        "spark.worker.resource.gpu.amount", "2",
                        "spark.worker.resource.fpga.amount", "1",
                        "spark.worker.resource.fpga.addresses", "f")));
    }

    @Test
    void refusesToOfferWhatItDoesNotHave() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> resources(
                        Map.of("hearth.worker.resource.gpu.amount", "2", "hearth.worker.resource.gpu.addresses", "0")));
        assertTrue(String.valueOf(failure.getMessage())
                .startsWith("worker: 1 addresses of resource gpu [0] (expected: at"));
    }

    private static List<ResourceInformation> resources(Map<String, String> settings) {
        return WorkerRole.resources(Settings.empty().with("test", settings));
    }
}
