package dev.hearth.kernel.internal.manager;

/** Starts cluster managers on demand. Any thread may call. */
@FunctionalInterface
public interface OnDemandManagers {
    /**
     * Starts the managers of a scheme, or all if there is none, so that errors can name them; true if any was started.
     */
    boolean startFor(String scheme);
}
