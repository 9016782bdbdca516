package dev.hearth.kernel.internal.manager;

/** Starts cluster managers on demand. Any thread may call. */
@FunctionalInterface
public interface OnDemandManagers {
    /**
     * Starts the managers of {@code scheme}. If there is none, starts all managers, so that the error can list their
     * schemes. True if any was started.
     */
    boolean startFor(String scheme);
}
