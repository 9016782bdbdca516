package dev.hearth.rpc.internal.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.rpc.RpcLimits;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Eviction of connections when too many have not authenticated. */
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
        connections.authenticated(welcomed);
        welcomed.runPendingTasks();
        assertTrue(welcomed.isOpen());
        assertEquals(0, connections.refusals().tooMany());
    }

    @Test
    void httpWithoutATokenCountsAsUnauthenticatedAndTheLongestIdleIsEvicted() {
        ConnectionLimiter limiter =
                new ConnectionLimiter(RpcLimits.DEFAULTS.withConnections(20, 5), OptionalLong::empty);
        List<EmbeddedChannel> http = new ArrayList<>();
        for (int i = 0; i < 15; i++) { // three quarters of 20
            http.add(arrive(limiter));
            limiter.isHttp(http.get(i));
        }
        EmbeddedChannel withToken = http.get(0);
        limiter.authenticated(withToken);
        EmbeddedChannel usedAgain = http.get(1);
        limiter.busy(usedAgain);
        limiter.idle(usedAgain);
        EmbeddedChannel handling = http.get(2);
        limiter.busy(handling);
        EmbeddedChannel honest = arrive(limiter);
        http.forEach(EmbeddedChannel::runPendingTasks);
        assertTrue(http.stream().allMatch(EmbeddedChannel::isOpen), "there was room");
        arrive(limiter);
        http.forEach(EmbeddedChannel::runPendingTasks);
        assertEquals(
                List.of(http.get(3)),
                http.stream().filter(each -> !each.isOpen()).toList());
        limiter.authenticated(honest);
        assertEquals(1, limiter.refusals().tooMany());
    }

    @Test
    void authenticatedConnectionsTakeThePlaceOfOthersUpToTheLimit() {
        ConnectionLimiter limiter =
                new ConnectionLimiter(RpcLimits.DEFAULTS.withConnections(20, 20), OptionalLong::empty);
        List<EmbeddedChannel> silent = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            silent.add(arrive(limiter));
        }
        for (int i = 0; i < 20; i++) {
            limiter.authenticated(arrive(limiter));
            silent.forEach(EmbeddedChannel::runPendingTasks);
        }
        assertTrue(silent.stream().noneMatch(EmbeddedChannel::isOpen));
        assertFalse(limiter.enter(new EmbeddedChannel()), "all are authenticated");
    }

    @Test
    void theLimitOfOpenFilesLeavesRoomForFiles() {
        ConnectionLimiter limiter = new ConnectionLimiter(RpcLimits.DEFAULTS, () -> OptionalLong.of(168));
        List<EmbeddedChannel> silent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            silent.add(arrive(limiter));
            silent.forEach(EmbeddedChannel::runPendingTasks);
        }
        assertEquals(200 - 64, limiter.connectionsMax(), "168 and those that were open, without 64 for files");
        assertEquals(68, silent.stream().filter(EmbeddedChannel::isOpen).count());
    }

    private EmbeddedChannel arrive() {
        return arrive(connections);
    }

    private static EmbeddedChannel arrive(ConnectionLimiter limiter) {
        EmbeddedChannel channel = new EmbeddedChannel();
        assertTrue(limiter.enter(channel));
        channel.closeFuture().addListener(closed -> limiter.closed(channel));
        return channel;
    }
}
