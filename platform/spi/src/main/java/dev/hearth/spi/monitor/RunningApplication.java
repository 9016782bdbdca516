package dev.hearth.spi.monitor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Running application: its status, cancellation of its jobs and decommissioning of its executors. Any thread may call;
 * calls after the end of the application have no effect.
 */
@ProviderType
public interface RunningApplication {
    String id();

    String name();

    String user();

    long startedMillis();

    ApplicationStatus status();

    /** Scheduling pools, the default pool first, as the scheduler last reported them. */
    List<PoolView> pools();

    /**
     * Cancels the job {@code job}; {@code reason} is for display. This method and the following {@code cancel} methods
     * ignore an unknown or ended job, stage, group or tag.
     */
    void cancelJob(int job, String reason);

    /** Cancels all running jobs that depend on stage {@code stage}. */
    void cancelStage(int stage, String reason);

    void cancelGroup(String group, String reason);

    void cancelTag(String tag, String reason);

    void cancelAll(String reason);

    /**
     * Thread dump of the executor with id {@code executor}, or of the driver process if the id is {@code driver}; empty
     * if that process is not reachable.
     */
    CompletionStage<Optional<List<ThreadView>>> threads(String executor);

    /**
     * Decommissions the executor with id {@code executor}; {@code reason} is for display. Returns false if the executor
     * is unknown or runs inside the driver process.
     */
    CompletionStage<Boolean> decommission(String executor, String reason);
}
