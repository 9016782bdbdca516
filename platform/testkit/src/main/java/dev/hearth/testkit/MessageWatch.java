package dev.hearth.testkit;

/** Observer of the messages that processes handle, for invariants about who obeys whom. */
@FunctionalInterface
public interface MessageWatch {
    /** Watch that observes nothing. */
    MessageWatch NONE = (from, to, message, handling) -> handling.run();

    /** Runs {@code handling}, in which process {@code to} handles {@code message}, a message or question of {@code from}. */
    void handled(SimulatedProcess from, SimulatedProcess to, Record message, Runnable handling);
}
