package dev.hearth.rpc.internal.bulk;

/** One connection of the bulk lane, of either end. Any thread may call. */
interface BulkConnection {
    BulkSnapshot snapshot();

    void close();

    /** Registry of the connections of a scope. */
    interface Owner {
        void opened(BulkConnection connection);

        void closed(BulkConnection connection);
    }
}
