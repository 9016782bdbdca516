package dev.hearth.rpc.internal.bulk;

/** Snapshot of the state and counters of one bulk connection. Counts start when the connection is opened. */
public record BulkSnapshot(
        long id,
        String remote,
        String security,
        long ageMillis,
        long idleMillis,
        int underWay,
        long bytesQueued,
        long framesSent,
        long framesReceived,
        long bytesSent,
        long bytesReceived,
        boolean paused) {}
