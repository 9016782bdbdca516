package dev.hearth.api;

import java.util.List;
import java.util.Optional;

/** Status of the jobs, stages and executors of a context; it may be slightly out of date. Thread-safe. */
public interface StatusTracker {
    /** The ids of running jobs. <pre>{@code List<Integer> running = context.statusTracker().activeJobs();}</pre> */
    List<Integer> activeJobs();

    /** The ids of running stages. <pre>{@code int stages = context.statusTracker().activeStages().size();}</pre> */
    List<Integer> activeStages();

    /**
     * The ids of the known jobs of a group, running or ended.
     * <pre>{@code List<Integer> nightly = context.statusTracker().jobsOfGroup("nightly");}</pre>
     */
    List<Integer> jobsOfGroup(String group);

    /**
     * The ids of the known jobs with a tag, running or ended.
     * <pre>{@code List<Integer> reports = context.statusTracker().jobsWithTag("report");}</pre>
     */
    List<Integer> jobsWithTag(String tag);

    /**
     * The status of a job, if it is known.
     * <pre>{@code context.statusTracker().job(0).ifPresent(job -> System.out.println(job.state()));}</pre>
     */
    Optional<JobStatus> job(int id);

    /**
     * The status of the latest attempt of a stage, if it is known.
     * <pre>{@code int done = context.statusTracker().stage(0).map(StatusTracker.StageStatus::completedTasks).orElse(0);}</pre>
     */
    Optional<StageStatus> stage(int id);

    /**
     * The executors of the application.
     * <pre>{@code int cores = context.statusTracker().executors().stream().mapToInt(StatusTracker.ExecutorStatus::cores).sum();}</pre>
     */
    List<ExecutorStatus> executors();

    /** The state of a job. */
    enum State {
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    record JobStatus(int id, State state, List<Integer> stages) {
        public JobStatus {
            stages = List.copyOf(stages);
        }
    }

    record StageStatus(
            int id,
            int attempt,
            String name,
            long submittedMillis,
            int tasks,
            int activeTasks,
            int completedTasks,
            int failedTasks) {}

    record ExecutorStatus(String id, String host, int cores, int runningTasks) {}
}
