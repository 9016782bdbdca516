package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.rpc.internal.codec.WireOutput;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames that other threads add while the event loop looks through the queue. */
class OutboxTest implements Outbox.Receiver {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Outbox outbox = new Outbox(channel, 1_000, this);
    private final OutboundFrame first = frame();
    private final OutboundFrame second = frame();
    private final List<OutboundFrame> admitted = new ArrayList<>();

    @AfterEach
    void closeChannel() {
        channel.finishAndReleaseAll();
    }

    @Test
    void looksAgainAtWhatIsAddedWhileItLooks() {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        outbox.add(first);
        channel.runPendingTasks();
        assertEquals(List.of(first, second), admitted, "an ask that is not seen has no timeout");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean admit(OutboundFrame outgoing) {
        if (admitted.isEmpty()) {
            outbox.add(second);
        }
        admitted.add(outgoing);
        return true;
    }

    @Override
    public boolean isAccepting() {
        return true;
    }

    @Override
    public void refuse(OutboundFrame outgoing) {
        throw new AssertionError("the peer is not lost");
    }

    @Override
    public void failed(Throwable failure) {
        throw new AssertionError(failure);
    }

    private static OutboundFrame frame() {
        WireOutput content = new WireOutput(1);
        content.putByte(1);
        return new OutboundFrame(content, null);
    }
}
