package dev.hearth.api.event;

/** How near a task runs to its data, nearest first. */
public enum Locality {
    PROCESS_LOCAL,
    NODE_LOCAL,
    NO_PREF,
    RACK_LOCAL,
    ANY;

    /** Whether a task that allows this level may run where only {@code other} holds. */
    public boolean admits(Locality other) {
        return other.compareTo(this) <= 0;
    }
}
