package dev.hearth.launcher;

import java.io.IOException;

/**
 * Requests to the cluster of one submission. Each call blocks until the cluster has answered, and fails with an {@code
 * IOException} if it did not, so that the caller may ask again.
 */
interface FollowedCluster {
    /** Asks for the state of the submission {@code id}. */
    SubmissionAnswer status(String id) throws IOException, InterruptedException;

    /** Asks for the end of the submission {@code id}. */
    void kill(String id) throws IOException, InterruptedException;

    /** Creates the submission, once, and returns its id. */
    interface Creation {
        String create() throws IOException, InterruptedException;
    }

    /** The cluster has refused a request, so that another try is of no use. */
    final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        private final String code;

        /** {@code code} is an error code, such as {@code SUBMISSION_UNKNOWN}. */
        Refused(String code, String message) {
            super(message);
            this.code = code;
        }

        String code() {
            return code;
        }
    }
}
