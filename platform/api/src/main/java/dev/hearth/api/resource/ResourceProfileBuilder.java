package dev.hearth.api.resource;

import java.util.Map;
import java.util.TreeMap;

/**
 * A builder of a {@link ResourceProfile}. Several sets of requests may be added; of two requests for the same resource
 * the later one counts. Not thread-safe.
 */
public final class ResourceProfileBuilder {
    private final Map<String, ExecutorResourceRequest> executors = new TreeMap<>();
    private final Map<String, TaskResourceRequest> tasks = new TreeMap<>();

    /** Adds what executors have. <pre>{@code new ResourceProfileBuilder().require(new ExecutorResourceRequests().memory("4g"));}</pre> */
    public ResourceProfileBuilder require(ExecutorResourceRequests requests) {
        executors.putAll(requests.requests());
        return this;
    }

    /** Adds what tasks need. <pre>{@code new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(2));}</pre> */
    public ResourceProfileBuilder require(TaskResourceRequests requests) {
        tasks.putAll(requests.requests());
        return this;
    }

    /** Drops what executors have so far. <pre>{@code new ResourceProfileBuilder().clearExecutorResourceRequests();}</pre> */
    public ResourceProfileBuilder clearExecutorResourceRequests() {
        executors.clear();
        return this;
    }

    /** Drops what tasks need so far. <pre>{@code new ResourceProfileBuilder().clearTaskResourceRequests();}</pre> */
    public ResourceProfileBuilder clearTaskResourceRequests() {
        tasks.clear();
        return this;
    }

    /** The requests for executors so far, by the names of their resources. <pre>{@code new ResourceProfileBuilder().executorResources();}</pre> */
    public Map<String, ExecutorResourceRequest> executorResources() {
        return new TreeMap<>(executors);
    }

    /** The requests for tasks so far, by the names of their resources. <pre>{@code new ResourceProfileBuilder().taskResources();}</pre> */
    public Map<String, TaskResourceRequest> taskResources() {
        return new TreeMap<>(tasks);
    }

    /**
     * The profile of all requests.
     * <pre>{@code ResourceProfile large = new ResourceProfileBuilder().require(new ExecutorResourceRequests().cores(4).memory("8g")).build();}</pre>
     */
    public ResourceProfile build() {
        return new ResourceProfile(executors, tasks);
    }
}
