package dev.hearth.kubernetes.internal.api;

/** Kind of object of the API server that Hearth creates. */
public enum Resource {
    POD("pods"),
    SECRET("secrets");

    private final String plural;

    Resource(String plural) {
        this.plural = plural;
    }

    /** Name in the paths of the API, and in roles. */
    public String plural() {
        return plural;
    }
}
