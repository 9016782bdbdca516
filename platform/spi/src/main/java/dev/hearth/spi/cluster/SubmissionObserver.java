package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Follows what bin/submit does in this process, for example for the program that started it. Registered as a service; all
 * observers are called. The methods are called one at a time, on different threads, and must not block. Exceptions are
 * logged.
 */
@ConsumerType
public interface SubmissionObserver {
    /**
     * Called before an application runs in this process ({@code CLIENT}) or is submitted to its cluster ({@code
     * CLUSTER}). {@code stop} ends the application. Any thread may run it, also several times; in cluster mode it blocks
     * until the cluster has accepted the request.
     */
    void began(SubmissionPlan plan, DeployMode mode, Runnable stop);

    /** Called in cluster mode when the cluster has accepted the submission. */
    default void accepted(SubmissionId submission) {
        // an observer of ends ignores ids
    }

    /** Called in cluster mode with each change of the submission's status. */
    default void changed(SubmissionStatus status) {
        // an observer of ends ignores states
    }

    /**
     * Called once when the request has ended, also if it failed before {@link #began}. {@code exitStatus} is that of this
     * process. If it failed, {@code code} is the name of an error code and {@code message} one line about the cause.
     */
    void ended(int exitStatus, String code, String message);
}
