package dev.hearth.rpc.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.stream.ChunkedInput;
import java.nio.ByteBuffer;

/**
 * Response body in memory that is written in pieces, each when the client has read enough of the previous ones. Thus
 * only a few pieces wait in the channel, where each is copied and possibly encrypted. Owned by the event loop of the
 * channel.
 */
final class MemoryPieces implements ChunkedInput<ByteBuf> {
    private final ByteBuffer content;
    private final long begin;
    private final int pieceBytes;
    private final Runnable progressed;

    /**
     * Creates the pieces of {@code content}, each of {@code pieceBytes} except the last. {@code progressed} runs when a
     * piece is passed to the channel.
     */
    MemoryPieces(ByteBuffer content, int pieceBytes, Runnable progressed) {
        this.content = content.duplicate();
        this.begin = content.position();
        this.pieceBytes = pieceBytes;
        this.progressed = progressed;
    }

    @Override
    public boolean isEndOfInput() {
        return !content.hasRemaining();
    }

    @Override
    public void close() {
        content.position(content.limit());
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // the interface demands it
    public ByteBuf readChunk(ChannelHandlerContext context) {
        return readChunk(context.alloc());
    }

    @Override
    public ByteBuf readChunk(ByteBufAllocator allocator) {
        int bytes = Math.min(pieceBytes, content.remaining());
        ByteBuffer piece = content.slice(content.position(), bytes);
        content.position(content.position() + bytes);
        progressed.run();
        return Unpooled.wrappedBuffer(piece);
    }

    @Override
    public long length() {
        return content.limit() - begin;
    }

    @Override
    public long progress() {
        return content.position() - begin;
    }
}
