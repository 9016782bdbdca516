package dev.hearth.spi.cluster;

/** A cluster manager that stays until it is let go, also when a newer one is dropped in meanwhile. */
public interface PinnedManager extends AutoCloseable {
    ClusterManager manager();

    /** A manager that is never replaced, for where there are no bundles. */
    static PinnedManager forEver(ClusterManager manager) {
        return new PinnedManager() {
            @Override
            public ClusterManager manager() {
                return manager;
            }

            @Override
            public void close() {
                // nobody waits for it to be let go
            }
        };
    }

    /** Lets the manager go; its bundle may be removed from now on. Later calls do nothing. */
    @Override
    void close();
}
