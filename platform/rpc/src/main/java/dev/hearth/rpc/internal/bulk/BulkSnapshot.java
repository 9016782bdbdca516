package dev.hearth.rpc.internal.bulk;

/** Snapshot of one bulk connection; counts start when it is opened. */
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
