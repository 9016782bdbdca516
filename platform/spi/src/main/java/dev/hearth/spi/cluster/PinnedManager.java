package dev.hearth.spi.cluster;

/**
 * Pin of a cluster manager: the manager stays available until the pin is closed, even if a newer version is deployed in
 * the meantime.
 */
public interface PinnedManager extends AutoCloseable {
    ClusterManager manager();

    /**
     * A pin of {@code manager} for processes without bundles. Closing it has no effect, because no manager is ever
     * replaced there.
     */
    static PinnedManager forEver(ClusterManager manager) {
        return new PinnedManager() {
            @Override
            public ClusterManager manager() {
                return manager;
            }

            @Override
            public void close() {
                // nothing to release
            }
        };
    }

    /** Releases the manager; its bundle may be removed from now on. Idempotent. */
    @Override
    void close();
}
