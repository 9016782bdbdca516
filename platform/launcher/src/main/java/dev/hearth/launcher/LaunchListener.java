package dev.hearth.launcher;

/**
 * Follows a launched application. Each handle calls its listeners one at a time, on a thread of its own, in the order of
 * the events. An exception of a listener is logged.
 */
public interface LaunchListener {
    /** Called after the state of the application has changed. */
    default void stateChanged(LaunchHandle handle) {
        // a listener of ids ignores states
    }

    /** Called when the id of the application or of its submission has become known. */
    default void infoChanged(LaunchHandle handle) {
        // a listener of states ignores ids
    }
}
