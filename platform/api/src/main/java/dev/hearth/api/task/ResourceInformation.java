package dev.hearth.api.task;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses of one kind of resource, such as GPUs, that a task or the driver may use. {@code name} is the name of the
 * resource in settings such as {@code hearth.task.resource.gpu.amount}. The addresses are those of the machine, for
 * example the numbers of GPUs.
 */
public record ResourceInformation(String name, List<String> addresses) {
    public ResourceInformation {
        addresses = List.copyOf(addresses);
    }

    /** The same resources by their names, in the same order. */
    public static Map<String, ResourceInformation> byName(List<ResourceInformation> resources) {
        if (resources.isEmpty()) {
            return Map.of(); // most executors have none
        }
        Map<String, ResourceInformation> named = new LinkedHashMap<>();
        resources.forEach(resource -> named.put(resource.name(), resource));
        return Collections.unmodifiableMap(named);
    }
}
