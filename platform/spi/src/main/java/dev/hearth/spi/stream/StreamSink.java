package dev.hearth.spi.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Receiver of the bytes of one transfer. Its methods are called in order on a thread for bulk data: they may block on
 * the disk but on nothing else.
 */
@ConsumerType
public interface StreamSink {
    /** Called once, with the metadata of the transfer, before the first bytes arrive. */
    default void opened(StreamInfo info) throws IOException {}

    /** Receives the next bytes, which are already verified. The caller reuses the buffer, so do not keep it. */
    void received(ByteBuffer bytes) throws IOException;
}
