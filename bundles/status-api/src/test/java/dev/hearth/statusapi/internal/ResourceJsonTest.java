package dev.hearth.statusapi.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
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

    private static JsonNode profile(Map<String, String> settings) throws Exception {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
            out.writeStartObject();
            ResourceJson.profiles(settings, out);
            out.writeEndObject();
        }
        return new ObjectMapper()
                .readTree(text.toString())
                .get("resourceProfiles")
                .get(0);
    }
}
