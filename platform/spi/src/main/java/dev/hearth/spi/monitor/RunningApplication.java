package dev.hearth.spi.monitor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** One application that runs: what it does, and how its work is ended. Any thread may call; after its end nothing happens. */
@ProviderType
public interface RunningApplication {
    String id();

    String name();

    String user();

    long startedMillis();

    ApplicationStatus status();

    /** How its tasks share executors, the pool of those that name none first; what it was when the engine last told. */
    List<PoolView> pools();

    /** Ends a job; the reason is shown wherever the job is. Unknown or ended ones are passed over, here and below. */
    void cancelJob(int job, String reason);

    /** Ends all jobs that need the stage. */
    void cancelStage(int stage, String reason);

    void cancelGroup(String group, String reason);

    void cancelTag(String tag, String reason);

    void cancelAll(String reason);

    /** What the threads of an executor do, or of its process with {@code driver}; empty when no such executor can be asked. */
    CompletionStage<Optional<List<ThreadView>>> threads(String executor);

    /** Has an executor end what it runs and leave; false when there is none in another process that could. */
    CompletionStage<Boolean> decommission(String executor, String reason);
}
