package dev.hearth.launcher;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A launched application. Any thread may call. */
public interface LaunchHandle {
    /** Adds a listener. It is called with later events only. */
    void addListener(LaunchListener listener);

    LaunchState state();

    /** Id of the application on its cluster; empty as long as it is unknown. */
    Optional<String> applicationId();

    /** Id of the submission in cluster mode; empty in client mode and as long as it is unknown. */
    Optional<String> submissionId();

    /**
     * Asks the application to end. Its contexts are closed, and in cluster mode the driver is killed. Fails with an
     * {@code IllegalStateException} if the process of the application is not connected; {@link #kill} works then too.
     * A master that does not answer is asked again.
     */
    void stop();

    /**
     * Kills the process that was started. In client mode this ends the application. In cluster mode the driver goes on,
     * because that process only follows it; use {@link #stop} to end the driver. Where no process was started, this is the
     * same as {@link #stop}.
     */
    void kill();

    /** Stops to follow the application, which goes on. Its state is {@code LOST} then, unless it has ended. */
    void disconnect();

    /** Pages about the application and logs of its driver, by name; empty as long as its cluster has named none. */
    Map<String, String> links();

    /**
     * The exception that ended an application in this process. Empty for an application in another process, whose failure
     * is the code and the message of its {@link #exit}.
     */
    Optional<Throwable> error();

    /** The end of the application. The stage never fails. */
    CompletionStage<LaunchEnd> exit();
}
