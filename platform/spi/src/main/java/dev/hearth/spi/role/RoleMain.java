package dev.hearth.spi.role;

import dev.hearth.spi.error.ExitCode;
import org.osgi.annotation.versioning.ConsumerType;

/** The work of a process. A service with the property {@link #ROLE}; the kernel runs it once, on the main thread. */
@ConsumerType
public interface RoleMain {
    /** Service property: the name of the role, for example {@code master}. */
    String ROLE = "hearth.role";

    /**
     * Works until done, or until {@link #stop}. A failure with a known code ends the process with its exit code and its
     * message on standard error; anything else counts as our own mistake.
     */
    ExitStatus run(RoleLaunch launch) throws Exception;

    /**
     * The process was told to end: {@link #run} should return within seconds. Called from another thread, at any time, also
     * just before {@link #run} is entered.
     */
    void stop();

    /** How a process ends: a documented code, or the status of the program that ran in it. */
    record ExitStatus(int status) {
        public static ExitStatus of(ExitCode code) {
            return new ExitStatus(code.status());
        }
    }
}
