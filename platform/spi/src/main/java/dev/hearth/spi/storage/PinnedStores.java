package dev.hearth.spi.storage;

/**
 * Pin of a factory of file stores: it stays available until the pin is closed, even if a newer version is deployed in
 * the meantime. A bundle that is stopped by force ends the pin earlier.
 */
public interface PinnedStores extends AutoCloseable {
    FileStores stores();

    /** Whether the factory has been stopped in spite of the pin. Its stores then no longer work. */
    default boolean isGone() {
        return false;
    }

    /** A pin of {@code stores} for processes without bundles. Closing it has no effect. */
    static PinnedStores forEver(FileStores stores) {
        return new PinnedStores() {
            @Override
            public FileStores stores() {
                return stores;
            }

            @Override
            public void close() {
                // nothing to release
            }
        };
    }

    /** Releases the factory; its bundle may be removed from now on. Idempotent. */
    @Override
    void close();
}
