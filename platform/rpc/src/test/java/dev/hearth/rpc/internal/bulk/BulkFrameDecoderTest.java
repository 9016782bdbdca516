package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buffers that the decoder holds while a chunk arrives, and heads of responses that describe no part of a stream. */
class BulkFrameDecoderTest implements BulkFrameDecoder.Receiver {
    private static final int LENGTH = 10_000;
    private static final byte[] CHUNK = EmbeddedServerConnection.chunk(new byte[LENGTH]);

    private final BulkFrameDecoder decoder = new BulkFrameDecoder(this);
    private final List<ByteBuf> arrived = new ArrayList<>();
    private int chunks;

    @Test
    void releasesAllBuffersOfAChunkInManyParts() throws Exception {
        give(0, CHUNK.length);
        assertEquals(1, chunks);
        assertTrue(arrived.size() > BulkLimits.PARTS_PER_CHUNK_MAX);
        assertReleased();
    }

    @Test
    void releasesTheBuffersOfAChunkThatIsGivenUp() throws Exception {
        give(0, CHUNK.length / 20);
        assertTrue(arrived.stream().anyMatch(each -> each.refCnt() > 0));
        decoder.stop();
        assertReleased();
        give(CHUNK.length / 20, CHUNK.length);
        assertEquals(0, chunks);
        assertReleased();
    }

    @Test
    void refusesAnAnswerBeyondTheEndOfItsStream() throws Exception {
        assertEquals(70, answer(100, 30, 70).length());
        assertEquals(0, answer(100, 100, 0).length());
        assertThrows(MalformedFrame.class, () -> answer(100, 30, 71));
        assertThrows(MalformedFrame.class, () -> answer(100, 101, 0));
        assertThrows(MalformedFrame.class, () -> answer(100, -1, 1));
        assertThrows(MalformedFrame.class, () -> answer(100, 1, -1));
        assertThrows(MalformedFrame.class, () -> answer(Long.MAX_VALUE, 1, Long.MAX_VALUE));
    }

    private static StreamInfo answer(long size, long offset, long length) throws MalformedFrame {
        byte[] body = BulkWireFormat.body(out -> {
            out.writeLong(size).writeLong(offset).writeLong(length);
            BulkWireFormat.putText(out, "tag");
        });
        return BulkWireFormat.parse(BulkFrameKind.ANSWER, ByteBuffer.wrap(body), BulkWireFormat::answer);
    }

    /** Gives bytes of the chunk to the decoder, each few in a buffer of their own. */
    private void give(int from, int end) throws MalformedFrame {
        int step = 100;
        for (int at = from; at < end; at += step) {
            ByteBuf next = Unpooled.copiedBuffer(CHUNK, at, Math.min(step, end - at));
            arrived.add(next);
            decoder.read(next);
            next.release();
        }
    }

    private void assertReleased() {
        for (ByteBuf each : arrived) {
            assertEquals(0, each.refCnt());
        }
    }

    @Override
    public void begins(BulkFrameKind kind, int length) {
        assertEquals(BulkFrameKind.CHUNK, kind);
    }

    @Override
    public void frame(BulkFrameKind kind, ByteBuffer body) {
        throw new AssertionError("a frame of kind " + kind);
    }

    @Override
    public void chunk(List<ByteBuf> parts, int length, boolean intact) {
        assertTrue(intact);
        assertEquals(LENGTH, parts.stream().mapToInt(ByteBuf::readableBytes).sum());
        chunks++;
    }
}
