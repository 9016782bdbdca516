package dev.hearth.kubernetes.internal.api;

/** Kind of object of the API server that Hearth creates. */
public enum Resource {
    POD("pods"),
    SECRET("secrets"),
    PERSISTENT_VOLUME_CLAIM("persistentvolumeclaims"),
    SERVICE("services"),
    NETWORK_POLICY("networkpolicies", "apis/networking.k8s.io/v1");

    private final String plural;
    private final String path;

    Resource(String plural) {
        this(plural, "api/v1");
    }

    Resource(String plural, String path) {
        this.plural = plural;
        this.path = path;
    }

    /** Name in the paths of the API, and in roles. */
    public String plural() {
        return plural;
    }

    /** Path of the API group and its version. */
    public String path() {
        return path;
    }
}
