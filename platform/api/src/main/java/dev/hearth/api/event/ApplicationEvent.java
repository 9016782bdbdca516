package dev.hearth.api.event;

import dev.hearth.api.resource.ExecutorResourceRequest;
import dev.hearth.api.resource.TaskResourceRequest;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Map;

/**
 * An event of an application; {@link #atMillis} is its time by the driver's wall clock.
 * <p>The names of these records are part of the event log format and never change.
 */
public sealed interface ApplicationEvent {
    long atMillis();

    /**
     * The application started. {@code attempt} is the cluster's attempt at running it, {@code tracking} the address of
     * its page on the cluster, and {@code driverLogs} the addresses of the driver's logs by name; all are empty if the
     * cluster has none. {@code driverAttributes} describe the place where the driver runs.
     */
    record ApplicationStarted(
            long atMillis,
            String application,
            String name,
            String user,
            String master,
            String attempt,
            String tracking,
            Map<String, String> driverLogs,
            Map<String, String> driverAttributes)
            implements ApplicationEvent {
        public ApplicationStarted {
            driverLogs = Map.copyOf(driverLogs);
            driverAttributes = Map.copyOf(driverAttributes);
        }
    }

    /**
     * The environment of the application's driver: settings without secrets, system properties of the JVM, and class
     * path.
     */
    record EnvironmentKnown(
            long atMillis, Map<String, String> settings, Map<String, String> system, List<String> classPath)
            implements ApplicationEvent {
        public EnvironmentKnown {
            settings = Map.copyOf(settings);
            system = Map.copyOf(system);
            classPath = List.copyOf(classPath);
        }
    }

    /**
     * The application uses a resource profile, with the number {@code profile}, 1 or more. The default profile, which the
     * settings define, has the number 0 and no event.
     */
    record ResourceProfileAdded(
            long atMillis,
            int profile,
            List<ExecutorResourceRequest> executorResources,
            List<TaskResourceRequest> taskResources)
            implements ApplicationEvent {
        public ResourceProfileAdded {
            executorResources = List.copyOf(executorResources);
            taskResources = List.copyOf(taskResources);
        }
    }

    /**
     * An executor registered. {@code logs} are the addresses of its logs by name; {@code attributes} describe it as its
     * cluster does; {@code profile} is the number of its resource profile. It runs {@code maxTasks} tasks at a time, which may
     * use the addresses of {@code resources}.
     */
    record ExecutorAdded(
            long atMillis,
            String executor,
            String host,
            int cores,
            Map<String, String> logs,
            Map<String, String> attributes,
            int profile,
            int maxTasks,
            List<ResourceInformation> resources)
            implements ApplicationEvent {
        public ExecutorAdded {
            logs = Map.copyOf(logs);
            attributes = Map.copyOf(attributes);
            resources = List.copyOf(resources);
        }
    }

    /**
     * The cluster has described an executor after its {@link ExecutorAdded}; {@code logs} and {@code attributes}
     * replace those of that event.
     */
    record ExecutorDescribed(long atMillis, String executor, Map<String, String> logs, Map<String, String> attributes)
            implements ApplicationEvent {
        public ExecutorDescribed {
            logs = Map.copyOf(logs);
            attributes = Map.copyOf(attributes);
        }
    }

    record ExecutorRemoved(long atMillis, String executor, String reason) implements ApplicationEvent {}

    /** The cluster has given another reason for the loss of an executor, after its {@link ExecutorRemoved}. */
    record ExecutorLossExplained(long atMillis, String executor, String reason) implements ApplicationEvent {}

    /** The cluster starts no more executors for {@code reason}; an empty reason says that it starts some again. */
    record ExecutorsHindered(long atMillis, String reason) implements ApplicationEvent {}

    /**
     * An executor was excluded after {@code failures} failures of tasks on it. It gets no more tasks of stage {@code
     * stage}, or of any stage if {@code stage} is -1.
     */
    record ExecutorExcluded(long atMillis, String executor, String host, int failures, int stage)
            implements ApplicationEvent {}

    /**
     * A host was excluded: its executors get no more tasks of stage {@code stage}, or of any stage if {@code stage} is
     * -1.
     */
    record HostExcluded(long atMillis, String host, int failures, int stage) implements ApplicationEvent {}

    record ExecutorReadmitted(long atMillis, String executor) implements ApplicationEvent {}

    record HostReadmitted(long atMillis, String host) implements ApplicationEvent {}

    /** A job started; {@code stages} are in execution order, the result stage last, and include skipped stages. */
    record JobStarted(
            long atMillis,
            int job,
            String name,
            String description,
            String group,
            List<String> tags,
            List<StageInfo> stages,
            Map<String, String> properties)
            implements ApplicationEvent {
        public JobStarted {
            tags = List.copyOf(tags);
            stages = List.copyOf(stages);
            properties = Map.copyOf(properties);
        }
    }

    record StageSubmitted(long atMillis, StageInfo stage) implements ApplicationEvent {}

    /**
     * A task attempt got a core of its executor; an attempt that waits in the executor for a core has no event yet. An
     * attempt that ends without a core gets this event just before its {@link TaskEnded}.
     */
    record TaskStarted(long atMillis, TaskInfo task) implements ApplicationEvent {}

    /**
     * A task attempt ended. {@code failure} is empty on success; {@code accumulated} maps the names of accumulators to
     * the updates of this attempt.
     */
    record TaskEnded(
            long atMillis,
            TaskInfo task,
            TaskOutcome outcome,
            String failure,
            TaskMetrics metrics,
            Map<String, String> accumulated)
            implements ApplicationEvent {
        public TaskEnded {
            accumulated = Map.copyOf(accumulated);
        }
    }

    /**
     * Replaces several {@link TaskStarted} and {@link TaskEnded} events of one stage attempt, for a listener that is
     * too slow or wants no single task events. The counts and {@code metrics} are sums over these events.
     */
    record TasksSummarised(
            long atMillis,
            int stage,
            int stageAttempt,
            long started,
            long succeeded,
            long failed,
            long killed,
            TaskMetrics metrics)
            implements ApplicationEvent {}

    record SpeculationSubmitted(long atMillis, int stage, int stageAttempt, int partition)
            implements ApplicationEvent {}

    /** A stage attempt ended; {@code failure} is empty if all of its tasks succeeded. */
    record StageCompleted(long atMillis, StageInfo stage, long submittedMillis, String failure, TaskMetrics metrics)
            implements ApplicationEvent {}

    /** A job ended; {@code failure} is empty on success. */
    record JobEnded(long atMillis, int job, String failure) implements ApplicationEvent {}

    record ApplicationEnded(long atMillis) implements ApplicationEvent {}
}
