package dev.hearth.kubernetes.internal.kubeconfig;

/**
 * Entry of a cluster. {@code certificates} are those that the API server's must be signed with. {@code serverName} is the
 * name in the API server's certificate, and {@code proxy} the URL of a proxy; both may be empty. Immutable.
 */
public record ClusterEntry(String server, TextSource certificates, boolean trustsAll, String serverName, String proxy) {
    /** Entry of a cluster of which nothing is known. */
    public static final ClusterEntry NONE = new ClusterEntry("", TextSource.NONE, false, "", "");
}
