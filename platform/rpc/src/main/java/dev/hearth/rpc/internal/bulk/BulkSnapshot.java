package dev.hearth.rpc.internal.bulk;

/** What one bulk connection was doing at one moment; counts run from its opening. */
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
