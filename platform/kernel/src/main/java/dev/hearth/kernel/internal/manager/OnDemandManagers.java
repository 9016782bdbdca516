package dev.hearth.kernel.internal.manager;

/** Starts the bundles of cluster managers when they are first needed. Any thread may call. */
@FunctionalInterface
public interface OnDemandManagers {
    /**
     * Starts the cluster managers that support the master URL scheme {@code scheme}. If no manager supports the scheme,
     * starts all managers, so that the error can list their schemes. Returns whether any manager was started.
     */
    boolean startFor(String scheme);
}
