package dev.hearth.rpc.internal.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.rpc.RpcLimits;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Eviction of connections when too many are in their handshake. */
class AcceptedConnectionsTest {
    private final ConnectionLimiter connections = new ConnectionLimiter(RpcLimits.DEFAULTS.withConnections(4, 2));

    @Test
    void theOldestHandshakeIsEvicted() {
        EmbeddedChannel oldest = arrive();
        EmbeddedChannel next = arrive();
        EmbeddedChannel newest = arrive();
        oldest.runPendingTasks();
        assertFalse(oldest.isOpen());
        assertTrue(next.isOpen() && newest.isOpen());
        assertEquals(1, connections.refusals().tooMany());
        assertEquals(2, connections.refusals().inHandshake());
    }

    @Test
    void aConnectionThatCompletesItsHandshakeIsNotEvicted() {
        EmbeddedChannel welcomed = arrive();
        arrive();
        arrive();
        connections.handshakeEnded(welcomed);
        welcomed.runPendingTasks();
        assertTrue(welcomed.isOpen());
        assertEquals(0, connections.refusals().tooMany());
    }

    private EmbeddedChannel arrive() {
        EmbeddedChannel channel = new EmbeddedChannel();
        assertTrue(connections.enter(channel));
        channel.closeFuture().addListener(closed -> connections.closed(channel));
        return channel;
    }
}
