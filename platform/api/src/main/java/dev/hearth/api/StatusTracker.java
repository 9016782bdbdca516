package dev.hearth.api;

import java.util.List;
import java.util.Optional;

/** What jobs and stages of a context are doing, as of a moment ago. Any thread may ask. */
public interface StatusTracker {
    List<Integer> activeJobs();

    List<Integer> activeStages();

    /** The known jobs of a group, also those that have ended. */
    List<Integer> jobsOfGroup(String group);

    /** The known jobs with a tag, also those that have ended. */
    List<Integer> jobsWithTag(String tag);

    Optional<JobStatus> job(int id);

    /** The newest attempt at a stage. */
    Optional<StageStatus> stage(int id);

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
