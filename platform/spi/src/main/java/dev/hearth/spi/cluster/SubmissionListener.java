package dev.hearth.spi.cluster;

/**
 * Receives the state changes of a submission, in order, on the submitter's loop. The last event is a final state or a
 * loss.
 */
public interface SubmissionListener {
    void changed(SubmissionStatus status);

    /** The connection to the cluster is lost, so the state of the submission is unknown from now on. */
    void lost(String reason);
}
