package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.osgi.annotation.versioning.ConsumerType;

/** Takes the bytes of one transfer, in order. Called on a thread of the bulk lane: it may touch a disk, no more. */
@ConsumerType
public interface StreamSink {
    /** What will come; once, first. */
    default void opened(StreamInfo info) throws IOException {}

    /** The next bytes, checked; the buffer is the caller's again after the call. */
    void received(ByteBuffer bytes) throws IOException;
}
