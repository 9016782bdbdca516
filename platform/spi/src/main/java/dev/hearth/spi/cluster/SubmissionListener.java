package dev.hearth.spi.cluster;

/**
 * Receives the state changes of a submission, in order, on the submitter's event loop. The last event is a final state
 * or the loss of the connection.
 */
public interface SubmissionListener {
    void changed(SubmissionStatus status);

    /**
     * Called before the cluster accepts the submission if the manager reports the progress of this submission by {@link
     * #said} alone, as {@link SubmissionRules#ownProgress} declares for all of its submissions.
     */
    default void ownProgress() {
        // a listener that prints no progress lines has none to leave out
    }

    /**
     * Called with a line for the user, such as a warning or a progress line of the manager's own kind. A front end for
     * people prints it on standard error; other front ends may ignore it.
     */
    default void said(String line) {
        // a listener that shows nothing ignores the line
    }

    /**
     * Called now and then while a file of the submission is sent to the cluster: {@code sent} of its {@code bytes} are
     * there. The last call for a file has both equal, even if the upload has failed. A front end for people shows a bar at a terminal.
     */
    default void uploaded(String name, long sent, long bytes) {
        // a listener that shows nothing ignores the progress
    }

    /**
     * Called with the next part of the driver's standard output, for a manager that follows it. The final status then
     * has no output. Other front ends than those for people may ignore it.
     */
    default void wrote(String output) {
        // a listener that shows nothing ignores the output
    }

    /**
     * Called when the connection to the cluster is lost for {@code reason}; from then on, the state of the submission
     * is unknown.
     */
    void lost(String reason);
}
