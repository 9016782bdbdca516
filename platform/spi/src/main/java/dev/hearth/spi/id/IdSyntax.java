package dev.hearth.spi.id;

/**
 * Syntax of the ids of applications, executors and submissions. Ids become parts of paths, URLs and log lines, so they
 * contain no character that needs quoting.
 */
public final class IdSyntax {
    private static final int LENGTH_MAX = 200;
    /** Length of the longest id of a submission, which may consist of a namespace and the name of a pod. */
    static final int SUBMISSION_LENGTH_MAX = 320;

    private IdSyntax() {}

    /**
     * Returns {@code value} if it is a legal id; otherwise throws an exception that names {@code kind}, the kind of id.
     */
    public static String require(String kind, String value) {
        return require(kind, value, LENGTH_MAX);
    }

    /** As {@link #require(String, String)}, for ids of at most {@code lengthMax} characters. */
    static String require(String kind, String value, int lengthMax) {
        boolean legal = !value.isEmpty() && value.length() <= lengthMax && !value.startsWith(".");
        for (int i = 0; legal && i < value.length(); i++) {
            char c = value.charAt(i);
            legal = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-_.:".indexOf(c) >= 0;
        }
        if (!legal) {
            throw new IllegalArgumentException(kind + ": '" + value + "' (expected: 1 to " + lengthMax
                    + " letters, digits, '-', '_', '.' or ':', not starting with '.')");
        }
        return value;
    }
}
