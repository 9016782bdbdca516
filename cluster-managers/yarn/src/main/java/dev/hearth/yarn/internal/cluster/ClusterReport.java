package dev.hearth.yarn.internal.cluster;

/**
 * Report of the ResourceManager about an application. Missing texts are empty; {@code port} is -1 and {@code
 * startMillis} 0 if unknown. Immutable.
 */
public record ClusterReport(
        String application,
        State state,
        Outcome outcome,
        String clientToken,
        String diagnostics,
        String host,
        int port,
        String queue,
        long startMillis,
        long launchMillis,
        long finishMillis,
        String trackingUrl,
        String user,
        String name,
        int attempt) {

    /** States of an application, by the names of YARN. */
    public enum State {
        NEW,
        NEW_SAVING,
        SUBMITTED,
        ACCEPTED,
        RUNNING,
        FINISHED,
        FAILED,
        KILLED;

        /** Whether no other state follows. */
        public boolean isFinal() {
            return this == FINISHED || this == FAILED || this == KILLED;
        }
    }

    /** Final status of an application, by the names of YARN. */
    public enum Outcome {
        UNDEFINED,
        SUCCEEDED,
        FAILED,
        KILLED,
        ENDED
    }
}
