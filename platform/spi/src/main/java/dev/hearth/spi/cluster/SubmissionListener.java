package dev.hearth.spi.cluster;

/**
 * Receives the state changes of a submission, in order, on the submitter's event loop. The last event is a final state
 * or the loss of the connection.
 */
public interface SubmissionListener {
    void changed(SubmissionStatus status);

    /**
     * Called when the connection to the cluster is lost for {@code reason}; from then on, the state of the submission
     * is unknown.
     */
    void lost(String reason);
}
