package dev.hearth.statusapi.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.resource.ExecutorResourceRequest;
import dev.hearth.api.resource.TaskResourceRequest;
import dev.hearth.spi.monitor.ResourceProfileView;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Profiles of applications, as Spark's status API shows them. */
class ResourceJsonTest {
    @Test
    void showsTheProfileOfAnApplication() throws Exception {
        JsonNode profile = profile(Map.of(
                "hearth.executor.cores", "4",
                "hearth.executor.memory", "8g",
                "hearth.executor.resource.gpu.amount", "2",
                "hearth.executor.resource.gpu.vendor", "nvidia.com",
                "hearth.task.cpus", "2",
                "hearth.task.resource.gpu.amount", "0.5"));
        JsonNode executor = profile.get("executorResources");
        assertEquals(0, profile.get("id").asInt());
        assertEquals(4, executor.get("cores").get("amount").asInt());
        assertEquals(8192, executor.get("memory").get("amount").asInt());
        assertEquals(819, executor.get("memoryOverhead").get("amount").asInt());
        assertEquals(0, executor.get("offHeap").get("amount").asInt());
        assertEquals(2, executor.get("gpu").get("amount").asInt());
        assertEquals("nvidia.com", executor.get("gpu").get("vendor").asText());
        assertEquals(2.0, profile.get("taskResources").get("cpus").get("amount").asDouble());
        assertEquals(0.5, profile.get("taskResources").get("gpu").get("amount").asDouble());
    }

    @Test
    void hasDefaults() throws Exception {
        JsonNode profile = profile(Map.of());
        assertEquals(
                1024,
                profile.get("executorResources").get("memory").get("amount").asInt());
        assertEquals(
                "{\"cpus\":{\"resourceName\":\"cpus\",\"amount\":1.0}}",
                profile.get("taskResources").toString());
    }

    /** A profile of the application has exactly what it asks for, as in Spark. */
    @Test
    void listsTheProfilesOfTheApplicationAfterTheDefaultOne() throws Exception {
        ResourceProfileView large = new ResourceProfileView(
                3,
                List.of(
                        new ExecutorResourceRequest("cores", 4),
                        new ExecutorResourceRequest("gpu", 2, "/find", "nvidia.com")),
                List.of(new TaskResourceRequest("gpu", 0.25)));
        JsonNode profiles = profiles(Map.of(), List.of(large));
        assertEquals(2, profiles.size());
        assertEquals(
                "{\"id\":3,\"executorResources\":{"
                        + "\"cores\":{\"resourceName\":\"cores\",\"amount\":4,\"discoveryScript\":\"\",\"vendor\":\"\"},"
                        + "\"gpu\":{\"resourceName\":\"gpu\",\"amount\":2,\"discoveryScript\":\"/find\",\"vendor\":\"nvidia.com\"}},"
                        + "\"taskResources\":{\"gpu\":{\"resourceName\":\"gpu\",\"amount\":0.25}}}",
                profiles.get(1).toString());
    }

    private static JsonNode profile(Map<String, String> settings) throws Exception {
        return profiles(settings, List.of()).get(0);
    }

    private static JsonNode profiles(Map<String, String> settings, List<ResourceProfileView> others) throws Exception {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
            out.writeStartObject();
            ResourceJson.profiles(settings, others, out);
            out.writeEndObject();
        }
        return new ObjectMapper().readTree(text.toString()).get("resourceProfiles");
    }
}
