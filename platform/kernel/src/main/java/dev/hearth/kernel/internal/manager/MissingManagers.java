package dev.hearth.kernel.internal.manager;

/** Brings cluster managers that have not started yet. Any thread may call. */
@FunctionalInterface
public interface MissingManagers {
    /** Starts those for a scheme, or all there are, so that they can be named; tells whether there were any. */
    boolean startFor(String scheme);
}
