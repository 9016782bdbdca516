package dev.hearth.rpc.internal.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Addresses that connect, refuse or do not answer, in virtual time. */
class HappyEyeballsTest {
    private final EmbeddedChannel clock = new EmbeddedChannel(); // its event loop is that of the race
    private final List<Dialed> dialed = new ArrayList<>();
    private @Nullable Channel reached;
    private @Nullable String unreachable;

    HappyEyeballsTest() {
        clock.freezeTime();
    }

    @AfterEach
    void closeChannels() {
        dialed.forEach(each -> each.channel.finishAndReleaseAll());
        clock.finishAndReleaseAll();
    }

    @Test
    void triesTheNextAddressAtOnceWhenOneRefuses() {
        begin("::1", "127.0.0.1");
        assertEquals(1, dialed.size());
        dialed.get(0).refuse();
        assertEquals(2, dialed.size(), "the second address");
        dialed.get(1).answer();
        assertSame(dialed.get(1).channel, reached);
        pass(HappyEyeballs.HEAD_START);
        assertEquals(2, dialed.size());
    }

    @Test
    void triesTheNextAddressBesideOneThatSaysNothing() {
        begin("::1", "127.0.0.1", "127.0.0.2");
        pass(HappyEyeballs.HEAD_START.minusMillis(1));
        assertEquals(1, dialed.size(), "within its head start");
        pass(Duration.ofMillis(1));
        assertEquals(2, dialed.size());
        pass(HappyEyeballs.HEAD_START);
        assertEquals(3, dialed.size());
        dialed.get(1).answer();
        assertSame(dialed.get(1).channel, reached);
        assertFalse(dialed.get(0).channel.isOpen(), "a connection that is no longer wanted");
        assertFalse(dialed.get(2).channel.isOpen(), "a connection that is no longer wanted");
        assertTrue(dialed.get(1).channel.isOpen());
    }

    @Test
    void keepsAnAnswerThatComesAfterTheNextWasTried() {
        begin("::1", "127.0.0.1");
        pass(HappyEyeballs.HEAD_START);
        dialed.get(1).refuse();
        assertNull(unreachable, "the first may still answer");
        dialed.get(0).answer();
        assertSame(dialed.get(0).channel, reached);
    }

    @Test
    void saysOfEachAddressWhyItFailed() {
        begin("127.0.0.1", "127.0.0.2");
        dialed.get(0).refuse();
        dialed.get(1).refuse();
        assertEquals(
                "none of its addresses can be reached (127.0.0.1: connection refused; 127.0.0.2: connection refused)",
                unreachable);
    }

    @Test
    void triesNothingMoreOnceStopped() {
        HappyEyeballs race = begin("::1", "127.0.0.1");
        race.stop();
        assertFalse(dialed.get(0).channel.isOpen());
        pass(HappyEyeballs.HEAD_START);
        assertEquals(1, dialed.size());
        assertNull(reached);
        assertNull(unreachable);
    }

    @Test
    void interleavesAddressFamiliesUpToTheLimit() throws Exception {
        List<InetAddress> found = new ArrayList<>();
        for (int i = 1; i <= HostLookup.ADDRESSES_MAX; i++) {
            found.add(InetAddress.getByName("fe80::" + i));
        }
        found.add(address("127.0.0.1"));
        found.add(address("127.0.0.1"));
        found.add(address("127.0.0.2"));
        List<InetAddress> turns = HostLookup.interleave(found);
        assertEquals(HostLookup.ADDRESSES_MAX, turns.size());
        assertEquals(
                List.of(found.get(0), address("127.0.0.1"), found.get(1), address("127.0.0.2")), turns.subList(0, 4));
        assertEquals(found.subList(2, 14), turns.subList(4, 16));
    }

    private HappyEyeballs begin(String... addresses) {
        HappyEyeballs race = new HappyEyeballs(
                clock.eventLoop(),
                List.of(addresses).stream().map(HappyEyeballsTest::address).toList(),
                this::dial,
                new HappyEyeballs.Outcome() {
                    @Override
                    public void reached(Channel channel) {
                        reached = channel;
                    }

                    @Override
                    public void unreachable(String reason) {
                        unreachable = reason;
                    }
                });
        race.begin();
        return race;
    }

    private ChannelFuture dial(InetAddress address) {
        Dialed made = new Dialed(new EmbeddedChannel());
        dialed.add(made);
        return made.promise;
    }

    private void pass(Duration time) {
        clock.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        clock.runScheduledPendingTasks();
    }

    private static InetAddress address(String numeric) {
        try {
            return InetAddress.getByName(numeric);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** A connection whose other end the test controls. */
    private static final class Dialed {
        private final EmbeddedChannel channel;
        private final ChannelPromise promise;

        Dialed(EmbeddedChannel channel) {
            this.channel = channel;
            this.promise = channel.newPromise();
        }

        void answer() {
            promise.setSuccess();
        }

        void refuse() {
            promise.setFailure(new ConnectException("Connection refused"));
        }
    }
}
