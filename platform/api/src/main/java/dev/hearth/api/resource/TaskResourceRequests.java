package dev.hearth.api.resource;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of resources that each task of a profile needs. Without {@code cpus} the setting {@code hearth.task.cpus}
 * counts; other resources are only those named here. Each method adds to this object and returns it. Not thread-safe.
 */
public final class TaskResourceRequests {
    private final Map<String, TaskResourceRequest> requests = new TreeMap<>();

    /** Number of cores. <pre>{@code new TaskResourceRequests().cpus(2);}</pre> */
    public TaskResourceRequests cpus(int amount) {
        return add(new TaskResourceRequest(TaskResourceRequest.CPUS, amount));
    }

    /**
     * Number of addresses of a resource; with an amount such as 0.25, four tasks share an address.
     * <pre>{@code new TaskResourceRequests().resource("gpu", 0.25);}</pre>
     */
    public TaskResourceRequests resource(String resourceName, double amount) {
        ResourceNames.requireCustom(resourceName);
        return add(new TaskResourceRequest(resourceName, amount));
    }

    /** The requests so far, by the names of their resources. <pre>{@code new TaskResourceRequests().requests();}</pre> */
    public Map<String, TaskResourceRequest> requests() {
        return Collections.unmodifiableMap(new TreeMap<>(requests));
    }

    private TaskResourceRequests add(TaskResourceRequest request) {
        requests.put(request.resourceName(), request);
        return this;
    }

    @Override
    public String toString() {
        return "task resources " + requests.values();
    }
}
