package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.spi.stream.StreamSink;
import java.util.Optional;

/**
 * Buffer for the bytes of one stream, in memory or on disk. Owned by the reading task's thread; its sinks
 * belong to the transfer.
 */
interface FetchBuffer extends AutoCloseable {
    /** Opens a sink for one fetch attempt, starting at byte 0. Only the bytes of the last attempt are used. */
    StreamSink sink();

    /**
     * The bytes of a segment that starts at offset {@code from} of the stream; called when the stream is
     * complete.
     */
    SegmentSource source(FileSegment place, long from);

    /** The local failure to write the bytes, if that is why the stream failed. */
    Optional<RuntimeException> failure();

    @Override
    void close();
}
