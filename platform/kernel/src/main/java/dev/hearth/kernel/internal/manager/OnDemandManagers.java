package dev.hearth.kernel.internal.manager;

/** Starts the bundles of cluster managers when they are first needed. Any thread may call. */
@FunctionalInterface
public interface OnDemandManagers {
    /**
     * Starts the managers for the master URL scheme {@code scheme}. If there are none, starts all managers, so that the
     * error can list their schemes. Returns whether any was started.
     */
    boolean startFor(String scheme);
}
