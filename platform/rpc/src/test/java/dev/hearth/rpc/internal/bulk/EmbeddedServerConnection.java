package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.FileRegion;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** A serving connection on an embedded channel, with a virtual clock. Used by one thread. */
final class EmbeddedServerConnection implements AutoCloseable, BulkConnection.Owner {
    final ServedStreams served;
    final FakeTicker ticker = new FakeTicker();
    final List<BulkConnection> open = new ArrayList<>();
    final BulkServerConnection connection;
    int regions;
    private final EmbeddedChannel channel = new EmbeddedChannel();

    EmbeddedServerConnection(ServedStreams served, ChannelHandler... before) {
        this(served, Runnable::run, before);
    }

    EmbeddedServerConnection(ServedStreams served, Executor disk, ChannelHandler... before) {
        this.served = served;
        BulkServices services = new BulkServices(
                BulkTimeouts.of(RpcTimes.DEFAULTS), new PieceChecksumCache(ticker), disk, ticker, () -> 1L);
        channel.config().setAllocator(UnpooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(before);
        connection = new BulkServerConnection("peer", "plain", served, services, this);
        channel.pipeline().addLast(connection);
        connection.start();
    }

    /** Receives bytes from the network. */
    void write(byte[] bytes) {
        if (channel.isOpen()) {
            channel.writeInbound(Unpooled.copiedBuffer(bytes));
            channel.runPendingTasks();
        }
    }

    /** All bytes sent since the last call. */
    byte[] answered() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            try {
                if (message instanceof FileRegion region) {
                    regions++;
                    region.transferTo(Channels.newChannel(all), 0);
                } else {
                    byte[] bytes = new byte[((ByteBuf) message).readableBytes()];
                    ((ByteBuf) message).readBytes(bytes);
                    all.writeBytes(bytes);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }
        return all.toByteArray();
    }

    void pass(Duration time) {
        ticker.advance(time);
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runPendingTasks();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void opened(BulkConnection opened) {
        open.add(opened);
    }

    @Override
    public void closed(BulkConnection closed) {
        open.remove(closed);
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
    }

    static byte[] request(BulkRequest request) {
        return frame(request.kind(), request.body());
    }

    static byte[] frame(BulkFrameKind kind, byte[] body) {
        ByteBuf out = Unpooled.buffer();
        kind.begin(out, body.length).writeBytes(body);
        return bytes(out);
    }

    static byte[] chunk(byte[] body, int checksum) {
        ByteBuf out = Unpooled.buffer();
        BulkFrameKind.CHUNK.begin(out, body.length).writeInt(checksum).writeBytes(body);
        return bytes(out);
    }

    static byte[] chunk(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return chunk(body, (int) crc.getValue());
    }

    private static byte[] bytes(ByteBuf out) {
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }
}
