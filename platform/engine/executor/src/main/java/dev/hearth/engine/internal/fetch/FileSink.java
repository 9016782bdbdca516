package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Sink that writes a stream of known length to a file. Owned by the transfer until the transfer ends. */
final class FileSink implements StreamSink {
    private static final byte[] NOTHING = {};

    private final String name;
    private final long bytes;
    private final ReceivedFile file;
    private byte[] buffer = NOTHING;

    FileSink(String name, long bytes, ReceivedFile file) {
        this.name = name;
        this.bytes = bytes;
        this.file = file;
    }

    @Override
    public void opened(StreamInfo info) throws IOException {
        if (info.length() != bytes) {
            throw new IOException(name + ": " + info.length() + " bytes (expected: " + bytes + ")");
        }
    }

    @Override
    public void received(ByteBuffer some) {
        int count = some.remaining();
        if (buffer.length < count) {
            buffer = Arrays.copyOf(NOTHING, count);
        }
        some.get(buffer, 0, count);
        file.write(buffer, count);
    }
}
