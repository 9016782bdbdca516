package dev.hearth.api.event;

/** The distance of a task from its data, as in Spark; the nearest level comes first. */
public enum Locality {
    PROCESS_LOCAL,
    NODE_LOCAL,
    NO_PREF,
    RACK_LOCAL,
    ANY;

    /** Whether a task that is limited to this level may run at level {@code other}. */
    public boolean admits(Locality other) {
        return other.compareTo(this) <= 0;
    }
}
