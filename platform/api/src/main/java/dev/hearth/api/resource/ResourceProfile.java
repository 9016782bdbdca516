package dev.hearth.api.resource;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Needs of the stages of a dataset, set by {@link dev.hearth.api.Rdd#withResources}: the resources of their executors
 * and of each task, by the names of the resources. Profiles with equal requests are the same profile, with one id in
 * each application. A profile without executor resources has tasks of other needs on executors as the settings say.
 * Immutable.
 */
public record ResourceProfile(
        Map<String, ExecutorResourceRequest> executorResources, Map<String, TaskResourceRequest> taskResources) {
    /** Id of the default profile, which the settings define. */
    public static final int DEFAULT_ID = 0;

    public ResourceProfile {
        executorResources = Collections.unmodifiableMap(new TreeMap<>(executorResources));
        taskResources = Collections.unmodifiableMap(new TreeMap<>(taskResources));
    }

    /** Whether the profile says nothing about executors. */
    public boolean isTaskOnly() {
        return executorResources.isEmpty();
    }

    /** The profile that has of each resource the larger amount of this profile and {@code other}. */
    public ResourceProfile merged(ResourceProfile other) {
        return new ResourceProfile(
                larger(
                        executorResources,
                        other.executorResources,
                        (one, two) -> one.amount() > two.amount() ? one : two),
                larger(taskResources, other.taskResources, (one, two) -> one.amount() > two.amount() ? one : two));
    }

    private static <R> Map<String, R> larger(Map<String, R> one, Map<String, R> two, BinaryOperator<R> choice) {
        Map<String, R> merged = new TreeMap<>(one);
        two.forEach((name, request) -> merged.merge(name, request, choice));
        return merged;
    }

    /** Text such as {@code executors cores=4 memory=8192; tasks cpus=2}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (!executorResources.isEmpty()) {
            text.append("executors");
            executorResources
                    .values()
                    .forEach(request -> text.append(' ')
                            .append(request.resourceName())
                            .append('=')
                            .append(request.amount()));
        }
        if (!taskResources.isEmpty()) {
            text.append(text.isEmpty() ? "tasks" : "; tasks");
            taskResources
                    .values()
                    .forEach(request -> text.append(' ')
                            .append(request.resourceName())
                            .append('=')
                            .append(
                                    request.amount() == Math.rint(request.amount())
                                            ? String.valueOf((long) request.amount())
                                            : String.valueOf(request.amount())));
        }
        return text.isEmpty() ? "no requests" : text.toString();
    }
}
