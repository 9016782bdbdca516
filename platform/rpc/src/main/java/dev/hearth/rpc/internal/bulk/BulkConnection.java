package dev.hearth.rpc.internal.bulk;

/** Requesting or serving end of a connection for bulk data. Thread-safe. */
interface BulkConnection {
    BulkSnapshot snapshot();

    void close();

    /**
     * Registry of the bulk connections of one scope (the namespace of one application), notified when one opens or
     * closes.
     */
    interface Owner {
        void opened(BulkConnection connection);

        void closed(BulkConnection connection);
    }
}
