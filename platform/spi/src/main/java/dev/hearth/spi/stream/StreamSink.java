package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Receiver of one transfer. Called in order on a thread for bulk data: it may block on the disk but on nothing else.
 */
@ConsumerType
public interface StreamSink {
    /** Called once, before the first bytes arrive. */
    default void opened(StreamInfo info) throws IOException {}

    /** The next bytes, already verified. The buffer is reused after the call. */
    void received(ByteBuffer bytes) throws IOException;
}
