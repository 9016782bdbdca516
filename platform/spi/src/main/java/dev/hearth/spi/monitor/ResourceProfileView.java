package dev.hearth.spi.monitor;

import dev.hearth.api.resource.ExecutorResourceRequest;
import dev.hearth.api.resource.TaskResourceRequest;
import java.util.List;

/** A resource profile of an application, as stages and executors name it by its {@code id}. Immutable. */
public record ResourceProfileView(
        int id, List<ExecutorResourceRequest> executorResources, List<TaskResourceRequest> taskResources) {
    public ResourceProfileView {
        executorResources = List.copyOf(executorResources);
        taskResources = List.copyOf(taskResources);
    }
}
