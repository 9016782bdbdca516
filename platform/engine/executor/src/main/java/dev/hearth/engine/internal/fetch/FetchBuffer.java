package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.stream.StreamSink;
import java.util.Optional;

/**
 * Buffer for the bytes of one stream, in memory or on disk. Owned by the reading task's thread, except its sinks, which
 * the transfer owns.
 */
interface FetchBuffer extends AutoCloseable {
    /**
     * Opens a sink for one attempt to fetch the stream, which begins at byte 0 of the buffer. A later attempt
     * overwrites the bytes of an earlier one.
     */
    StreamSink sink();

    /**
     * Returns the bytes of the segment {@code place}, which begin at offset {@code from} of the stream. Call it only
     * once the stream has arrived completely.
     */
    SegmentSource source(FileSegment place, long from);

    /**
     * Returns the failure by which this buffer could not store received bytes, for example on a full disk; empty if
     * there is none.
     */
    Optional<RuntimeException> failure();

    @Override
    void close();
}
