package dev.hearth.spi.cluster;

/** Hears how a submission fares. Called on the submitter's loop, in order, the last time with a final state. */
@FunctionalInterface
public interface SubmissionListener {
    void changed(SubmissionStatus status);
}
