package dev.hearth.api.resource;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of resources that each executor of a profile has. What it leaves out is as in the settings {@code
 * hearth.executor.cores}, {@code .memory} and {@code .memoryOverhead}; other resources, such as GPUs, are only those
 * named here. Each method adds to this object and returns it. Not thread-safe.
 */
public final class ExecutorResourceRequests {
    private final Map<String, ExecutorResourceRequest> requests = new TreeMap<>();

    /** Number of cores. <pre>{@code new ExecutorResourceRequests().cores(4);}</pre> */
    public ExecutorResourceRequests cores(int amount) {
        return add(new ExecutorResourceRequest(ExecutorResourceRequest.CORES, amount));
    }

    /** Heap, as a size such as {@code 2g}. <pre>{@code new ExecutorResourceRequests().memory("2g");}</pre> */
    public ExecutorResourceRequests memory(String amount) {
        return memory(ExecutorResourceRequest.MEMORY, amount);
    }

    /**
     * Memory beyond the heap, on clusters that limit the memory of a process. Without it the setting {@code
     * hearth.executor.memoryOverhead} counts, or else a share of the heap.
     * <pre>{@code new ExecutorResourceRequests().memory("8g").memoryOverhead("1g");}</pre>
     */
    public ExecutorResourceRequests memoryOverhead(String amount) {
        return memory(ExecutorResourceRequest.MEMORY_OVERHEAD, amount);
    }

    /** Number of addresses of a resource. <pre>{@code new ExecutorResourceRequests().resource("gpu", 2);}</pre> */
    public ExecutorResourceRequests resource(String resourceName, long amount) {
        return resource(resourceName, amount, "", "");
    }

    /**
     * As {@link #resource(String, long)}, with a program on the executor's machine that finds the addresses.
     * <pre>{@code new ExecutorResourceRequests().resource("gpu", 2, "/opt/find-gpus");}</pre>
     */
    public ExecutorResourceRequests resource(String resourceName, long amount, String discoveryScript) {
        return resource(resourceName, amount, discoveryScript, "");
    }

    /**
     * As {@link #resource(String, long, String)}, with the vendor that Kubernetes needs.
     * <pre>{@code new ExecutorResourceRequests().resource("gpu", 2, "/opt/find-gpus", "nvidia.com");}</pre>
     */
    public ExecutorResourceRequests resource(String resourceName, long amount, String discoveryScript, String vendor) {
        ResourceNames.requireCustom(resourceName);
        return add(new ExecutorResourceRequest(resourceName, amount, discoveryScript, vendor));
    }

    /** The requests so far, by the names of their resources. <pre>{@code new ExecutorResourceRequests().requests();}</pre> */
    public Map<String, ExecutorResourceRequest> requests() {
        return Collections.unmodifiableMap(new TreeMap<>(requests));
    }

    private ExecutorResourceRequests memory(String resource, String amount) {
        return add(new ExecutorResourceRequest(resource, ResourceNames.mebibytes(resource, amount)));
    }

    private ExecutorResourceRequests add(ExecutorResourceRequest request) {
        requests.put(request.resourceName(), request);
        return this;
    }

    @Override
    public String toString() {
        return "executor resources " + requests.values();
    }
}
