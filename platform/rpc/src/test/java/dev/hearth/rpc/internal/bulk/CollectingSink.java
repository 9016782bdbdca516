package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A sink that collects all bytes, and signals when some arrive. */
final class CollectingSink implements StreamSink {
    final CompletableFuture<StreamInfo> opened = new CompletableFuture<>();
    final CompletableFuture<Integer> first = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void opened(StreamInfo info) {
        opened.complete(info);
    }

    @Override
    public synchronized void received(ByteBuffer part) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
        first.complete(copy.length);
    }

    synchronized byte[] bytes() {
        return bytes.toByteArray();
    }
}
