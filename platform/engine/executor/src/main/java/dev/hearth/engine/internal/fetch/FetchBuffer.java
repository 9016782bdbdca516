package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.spi.stream.StreamSink;
import java.util.Optional;

/**
 * Buffer for the bytes of one stream, in memory or on disk. Owned by the reading task's thread, except its sinks, which
 * the transfer owns.
 */
interface FetchBuffer extends AutoCloseable {
    /** Opens a sink for one fetch attempt, which begins at byte 0. Only the bytes of the last attempt are used. */
    StreamSink sink();

    /**
     * Returns the bytes of a segment that starts at offset {@code from} of the stream. Call it only when the stream is
     * complete.
     */
    SegmentSource source(FileSegment place, long from);

    /** Returns the local failure to write the bytes; empty unless such a failure ended the stream. */
    Optional<RuntimeException> failure();

    @Override
    void close();
}
