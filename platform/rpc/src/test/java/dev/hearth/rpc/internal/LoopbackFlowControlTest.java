package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** One end of a loopback connection, whose other end reads what the test takes from it. */
class LoopbackFlowControlTest {
    private static final int KIBIBYTE = 1024;

    @Test
    void writesAgainOnceHalfOfWhatMayWaitIsRead() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new LoopbackFlowControl(channel));
        write(channel, 100);
        write(channel, 156);
        assertTrue(channel.isWritable());
        write(channel, 28);
        assertFalse(channel.isWritable());
        read(channel);
        assertFalse(channel.isWritable(), "184 KiB wait, of 256 that may");
        read(channel);
        assertTrue(channel.isWritable(), "28 KiB wait");
        channel.finishAndReleaseAll();
    }

    private static void write(EmbeddedChannel channel, int kibibytes) {
        channel.writeOutbound(Unpooled.wrappedBuffer(new byte[kibibytes * KIBIBYTE]));
    }

    /** Reads the first batch that waits, as the other end does. */
    private static void read(EmbeddedChannel channel) {
        Object batch = channel.readOutbound();
        channel.writeInbound(batch);
        channel.<ByteBuf>readInbound().release();
    }
}
