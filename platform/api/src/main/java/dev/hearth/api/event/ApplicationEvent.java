package dev.hearth.api.event;

import dev.hearth.api.task.TaskMetrics;
import java.util.List;
import java.util.Map;

/**
 * Something that happened in an application; {@link #atMillis} is the driver's wall clock. Closed, in the order of a life.
 * <p>Names of these records are those of lines in event logs: they stay.
 */
public sealed interface ApplicationEvent {
    long atMillis();

    record ApplicationStarted(
            long atMillis, String application, String name, String user, String master, String attempt)
            implements ApplicationEvent {}

    /** Settings without secrets, properties of the JVM, and what is on the class path. */
    record EnvironmentKnown(
            long atMillis, Map<String, String> settings, Map<String, String> system, List<String> classPath)
            implements ApplicationEvent {
        public EnvironmentKnown {
            settings = Map.copyOf(settings);
            system = Map.copyOf(system);
            classPath = List.copyOf(classPath);
        }
    }

    record ExecutorAdded(long atMillis, String executor, String host, int cores, Map<String, String> logs)
            implements ApplicationEvent {
        public ExecutorAdded {
            logs = Map.copyOf(logs);
        }
    }

    record ExecutorRemoved(long atMillis, String executor, String reason) implements ApplicationEvent {}

    /** An executor gets no more tasks, of one stage or of any ({@code stage} -1), for it failed {@code failures} times. */
    record ExecutorExcluded(long atMillis, String executor, String host, int failures, int stage)
            implements ApplicationEvent {}

    /** A host gets no more tasks, of one stage or of any ({@code stage} -1). */
    record HostExcluded(long atMillis, String host, int failures, int stage) implements ApplicationEvent {}

    record ExecutorReadmitted(long atMillis, String executor) implements ApplicationEvent {}

    record HostReadmitted(long atMillis, String host) implements ApplicationEvent {}

    /** A job's stages in the order they can run, its result last; those it skips are among them. */
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

    record TaskStarted(long atMillis, TaskInfo task) implements ApplicationEvent {}

    /** {@code failure} is empty when it succeeded; {@code accumulated} shows what it added to named accumulators. */
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

    /** Stands for single {@link TaskStarted} and {@link TaskEnded} of one stage attempt, when there are too many to tell. */
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

    /** An attempt at a stage ended; {@code failure} is empty when all of its tasks succeeded. */
    record StageCompleted(long atMillis, StageInfo stage, long submittedMillis, String failure, TaskMetrics metrics)
            implements ApplicationEvent {}

    /** {@code failure} is empty when the job succeeded. */
    record JobEnded(long atMillis, int job, String failure) implements ApplicationEvent {}

    record ApplicationEnded(long atMillis) implements ApplicationEvent {}
}
