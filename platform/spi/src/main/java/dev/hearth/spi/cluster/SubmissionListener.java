package dev.hearth.spi.cluster;

/**
 * Receives the state changes of a submission, in order, on the submitter's event loop. The last event is a final state
 * or the loss of the connection.
 */
public interface SubmissionListener {
    void changed(SubmissionStatus status);

    /**
     * Called when the connection to the cluster is lost, so that the state of the submission is unknown from now on.
     */
    void lost(String reason);
}
