package dev.hearth.api;

import java.util.List;
import java.util.Optional;

/** What jobs and stages of a context are doing, as of a moment ago. Any thread may ask. */
public interface StatusTracker {
    /** The jobs that run. <pre>{@code List<Integer> running = context.statusTracker().activeJobs();}</pre> */
    List<Integer> activeJobs();

    /** The stages that run. <pre>{@code int stages = context.statusTracker().activeStages().size();}</pre> */
    List<Integer> activeStages();

    /** The known jobs of a group, also those that have ended. <pre>{@code List<Integer> nightly = context.statusTracker().jobsOfGroup("nightly");}</pre> */
    List<Integer> jobsOfGroup(String group);

    /** The known jobs with a tag, also those that have ended. <pre>{@code List<Integer> reports = context.statusTracker().jobsWithTag("report");}</pre> */
    List<Integer> jobsWithTag(String tag);

    /** What is known of a job. <pre>{@code context.statusTracker().job(0).ifPresent(job -> System.out.println(job.state()));}</pre> */
    Optional<JobStatus> job(int id);

    /** The newest attempt at a stage. <pre>{@code int done = context.statusTracker().stage(0).map(StatusTracker.StageStatus::completedTasks).orElse(0);}</pre> */
    Optional<StageStatus> stage(int id);

    /** The executors that are there. <pre>{@code int cores = context.statusTracker().executors().stream().mapToInt(StatusTracker.ExecutorStatus::cores).sum();}</pre> */
    List<ExecutorStatus> executors();

    /** Where a job stands. */
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
