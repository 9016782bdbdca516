package dev.hearth.rpc.internal.bulk;

/** One end of a connection of the bulk lane, either the requesting or the serving end. Any thread may call. */
interface BulkConnection {
    BulkSnapshot snapshot();

    void close();

    /** Registry of the connections of a scope. */
    interface Owner {
        void opened(BulkConnection connection);

        void closed(BulkConnection connection);
    }
}
