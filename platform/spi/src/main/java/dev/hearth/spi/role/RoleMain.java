package dev.hearth.spi.role;

import dev.hearth.spi.error.ExitCode;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Main program of a process, registered as a service with the property {@link #ROLE}. The kernel runs it once, on the
 * main thread.
 */
@ConsumerType
public interface RoleMain {
    /** Service property: the name of the role, for example {@code master}. */
    String ROLE = "hearth.role";

    /**
     * Runs until the work of this role is done or {@link #stop} is called. If it throws a failure with a known error
     * code, the process prints the message and ends with the exit code of that error code. Any other exception counts
     * as an internal error.
     */
    ExitStatus run(RoleLaunch launch) throws Exception;

    /**
     * Prepares the process for {@link #run} while it waits for its launch orders, by loading classes. Called at most
     * once for a {@code scheme}, that of the masters of the cluster, and only in a process that was started before it was
     * needed, or in the one that writes the archive of classes. A failure is logged, and the process continues to wait. The
     * default implementation does nothing.
     */
    default void prepare(String scheme) throws Exception {}

    /**
     * Asks the role to end; {@link #run} should then return within seconds. Called from another thread at any time,
     * even before {@link #run}.
     */
    void stop();

    /** Exit status with which the process of a role ends: an {@link ExitCode}, or the status of the user's program. */
    record ExitStatus(int status) {
        public static ExitStatus of(ExitCode code) {
            return new ExitStatus(code.status());
        }
    }
}
