package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.BlockProtocol.Part;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Holder;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One part of another executor's output on its way here. Owned by the reading task's thread, but for the bytes as they come. */
final class Fetch {
    private final Part part;
    private final CompletableFuture<StreamInfo> done;
    private final CompletionStage<byte[]> bytes;

    private Fetch(Part part, CompletableFuture<StreamInfo> done, CompletionStage<byte[]> bytes) {
        this.part = part;
        this.done = done;
        this.bytes = bytes;
    }

    static Fetch of(Holders holders, Holder holder, int shuffle, int reader, Part part) {
        byte[] into = new byte[Math.toIntExact(part.place().bytes())];
        String name = BlockProtocol.SHUFFLES + "/" + shuffle + "/" + part.map() + "/" + reader;
        CompletableFuture<StreamInfo> done = holders.fetch(holder, name, () -> new Filling(name, into));
        return new Fetch(part, done, done.thenApply(info -> into));
    }

    Part part() {
        return part;
    }

    /** Completes with all of it. */
    CompletionStage<byte[]> bytes() {
        return bytes;
    }

    /** Nobody wants it any more. */
    void abort() {
        done.completeExceptionally(
                ErrorCode.TRANSFER_ABORTED.failure("part of map task " + part.map() + ": not wanted"));
    }

    private static final class Filling implements StreamSink {
        private final String name;
        private final byte[] into;
        private int filled;

        Filling(String name, byte[] into) {
            this.name = name;
            this.into = into;
        }

        @Override
        public void opened(StreamInfo info) throws IOException {
            if (info.length() != into.length) {
                throw new IOException(name + ": " + info.length() + " bytes (expected: " + into.length + ")");
            }
        }

        @Override
        public void received(ByteBuffer bytes) {
            int count = bytes.remaining();
            bytes.get(into, filled, count);
            filled += count;
        }
    }
}
