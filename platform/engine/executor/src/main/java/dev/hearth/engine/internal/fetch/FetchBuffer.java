package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.FileSegment;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.spi.stream.StreamSink;
import java.util.Optional;

/** Where the bytes of one stream go. Owned by the reading task's thread; a sink by whoever brings the bytes. */
interface FetchBuffer extends AutoCloseable {
    /** Takes all of them from the first on; one for each try, of which the last one counts. */
    StreamSink sink();

    /** The bytes of a part that begins at {@code from} of the stream, once all are here. */
    SegmentSource source(FileSegment place, long from);

    /** How putting them here failed, if it was that. */
    Optional<RuntimeException> failure();

    @Override
    void close();
}
