package dev.hearth.shell.submit;

/**
 * Behaviour of {@code submit} towards its caller: that of bin/submit, or that of bin/spark-submit for programs that call
 * Spark. In cluster mode, {@link #SPARK} does not wait unless a setting says so, and prints the lines and the JSON of
 * Spark's clients. Exit statuses are the same.
 */
enum SubmitStyle {
    HEARTH,
    SPARK;

    /** System property by which bin/hearth says that bin/spark-submit or an alias of it was called. */
    private static final String PROPERTY = "hearth.submit.style";

    /** Scheme of masters whose submissions return at once in Spark. Other clusters wait by default. */
    private static final String STANDALONE = "hearth";

    static SubmitStyle ofProcess() {
        return System.getProperty(PROPERTY, "").equals("spark") ? SPARK : HEARTH;
    }

    /** Whether a submission to a master of {@code scheme} waits for its end, if no flag and no setting says so. */
    boolean waitsByDefault(String scheme) {
        return switch (this) {
            case HEARTH -> true;
            case SPARK -> !scheme.equals(STANDALONE);
        };
    }
}
