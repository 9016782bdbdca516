package dev.hearth.spi.cluster;

/** Hears how a submission fares, on the submitter's loop, in order. The last word is a final state, or the loss. */
public interface SubmissionListener {
    void changed(SubmissionStatus status);

    /** The cluster is gone, and with it all knowledge of the submission. */
    void lost(String reason);
}
