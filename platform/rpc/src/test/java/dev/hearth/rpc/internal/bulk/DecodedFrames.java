package dev.hearth.rpc.internal.bulk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Frames in a byte array, as the decoder delivers them; used by one test. */
final class DecodedFrames implements BulkFrameDecoder.Receiver {
    final List<BulkFrameKind> kinds = new ArrayList<>();
    final List<byte[]> bodies = new ArrayList<>();
    final ByteArrayOutputStream content = new ByteArrayOutputStream();
    int damaged;
    int partsMax;

    static DecodedFrames of(byte[] bytes) throws MalformedFrame {
        return of(bytes, Math.max(1, bytes.length));
    }

    /** As above, with bytes that arrive {@code step} at a time. */
    static DecodedFrames of(byte[] bytes, int step) throws MalformedFrame {
        DecodedFrames frames = new DecodedFrames();
        BulkFrameDecoder decoder = new BulkFrameDecoder(frames);
        try {
            for (int at = 0; at < bytes.length; at += step) {
                ByteBuf in = Unpooled.copiedBuffer(bytes, at, Math.min(step, bytes.length - at));
                try {
                    decoder.read(in);
                } finally {
                    in.release();
                }
            }
        } finally {
            decoder.stop();
        }
        return frames;
    }

    BulkFailure failure(int index) throws MalformedFrame {
        return BulkWireFormat.parse(BulkFrameKind.FAILURE, ByteBuffer.wrap(bodies.get(index)), BulkFailure::read);
    }

    @Override
    public void begins(BulkFrameKind kind, int length) {
        kinds.add(kind);
    }

    @Override
    public void frame(BulkFrameKind kind, ByteBuffer body) {
        byte[] copy = new byte[body.remaining()];
        body.get(copy);
        bodies.add(copy);
    }

    @Override
    public void chunk(List<ByteBuf> parts, int length, boolean right) {
        damaged += right ? 0 : 1;
        partsMax = Math.max(partsMax, parts.size());
        for (ByteBuf part : parts) {
            byte[] copy = new byte[part.readableBytes()];
            part.getBytes(part.readerIndex(), copy);
            content.writeBytes(copy);
        }
        bodies.add(new byte[0]);
    }
}
