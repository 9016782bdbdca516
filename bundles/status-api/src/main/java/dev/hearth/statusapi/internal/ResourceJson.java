package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.hearth.api.resource.ExecutorResourceRequest;
import dev.hearth.api.resource.TaskResourceRequest;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.monitor.ResourceProfileView;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the resources of executors and the profiles of applications in the form of Spark's status API. */
final class ResourceJson {
    private static final String TASK_CPUS = "hearth.task.cpus";
    private static final String TASK_RESOURCE = "hearth.task.resource.";
    private static final String AMOUNT = ".amount";

    private ResourceJson() {}

    /** The addresses that tasks of an executor may use. */
    static void addresses(List<ResourceInformation> resources, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("resources");
        for (ResourceInformation resource : resources) {
            out.writeObjectFieldStart(resource.name());
            out.writeStringField("name", resource.name());
            JsonBody.texts(out, "addresses", resource.addresses());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    /**
     * The profiles of an application: the default one, from its {@code settings}, and {@code others}. Its driver has checked
     * the settings, so problems are not reported.
     */
    static void profiles(Map<String, String> settings, List<ResourceProfileView> others, JsonGenerator out)
            throws IOException {
        out.writeArrayFieldStart("resourceProfiles");
        defaults(settings, out);
        for (ResourceProfileView other : others) {
            out.writeStartObject();
            out.writeNumberField("id", other.id());
            out.writeObjectFieldStart("executorResources");
            for (ExecutorResourceRequest request : other.executorResources()) {
                executor(request.resourceName(), request.amount(), request.discoveryScript(), request.vendor(), out);
            }
            out.writeEndObject();
            out.writeObjectFieldStart("taskResources");
            for (TaskResourceRequest request : other.taskResources()) {
                task(request.resourceName(), String.valueOf(request.amount()), out);
            }
            out.writeEndObject();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void defaults(Map<String, String> settings, JsonGenerator out) throws IOException {
        ExecutorProfile profile =
                ExecutorProfile.read(new SettingsReader(Settings.empty().with("application", settings)));
        out.writeStartObject();
        out.writeNumberField("id", profile.id().value());
        out.writeObjectFieldStart("executorResources");
        if (profile.cores().isPresent()) {
            executor("cores", profile.cores().getAsInt(), "", "", out);
        }
        executor("memory", profile.memory().heapMebibytes(), "", "", out);
        executor("memoryOverhead", profile.memory().overheadMebibytes(), "", "", out);
        executor("offHeap", profile.memory().offHeapMebibytes(), "", "", out);
        for (ResourceRequest request : profile.resources().values()) {
            executor(request.name(), request.amount(), request.discoveryScript(), request.vendor(), out);
        }
        out.writeEndObject();
        out.writeObjectFieldStart("taskResources");
        task("cpus", settings.getOrDefault(TASK_CPUS, "1"), out);
        for (Map.Entry<String, String> setting : new TreeMap<>(settings).entrySet()) {
            String key = setting.getKey();
            if (key.startsWith(TASK_RESOURCE) && key.endsWith(AMOUNT)) {
                task(key.substring(TASK_RESOURCE.length(), key.length() - AMOUNT.length()), setting.getValue(), out);
            }
        }
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void executor(String name, long amount, String script, String vendor, JsonGenerator out)
            throws IOException {
        out.writeObjectFieldStart(name);
        out.writeStringField("resourceName", name);
        out.writeNumberField("amount", amount);
        out.writeStringField("discoveryScript", script);
        out.writeStringField("vendor", vendor);
        out.writeEndObject();
    }

    private static void task(String name, String amount, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart(name);
        out.writeStringField("resourceName", name);
        out.writeNumberField("amount", Double.parseDouble(amount));
        out.writeEndObject();
    }
}
