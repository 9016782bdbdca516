package dev.hearth.rpc.internal.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Both sides of the handshake on an embedded channel, in virtual time. */
class HandshakeTest implements ServerHandshake.Outcome, ClientHandshake.Outcome, LaneRouter {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final LaneRouter.ScopeKey SCOPE = new LaneRouter.ScopeKey("process", Optional.empty());

    private final ChannelSecurity security = new ChannelSecurity(RpcSecurity.NONE, new FakeTicker());
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<HearthException> failures = new ArrayList<>();
    private final List<ConnectionLimiter.Refusal> refusals = new ArrayList<>();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        security.close();
    }

    @Test
    void endsWhenTheRestOfItsTimeIsOver() {
        channel.freezeTime();
        Duration left = Duration.ofSeconds(2); // the first bytes took the rest of the bound
        channel.pipeline()
                .addLast(new ServerHandshake(channel, "peer", BOUND, left, Preamble.OURS, this, security, this));
        pass(left.minusMillis(1));
        assertTrue(channel.isOpen());
        pass(Duration.ofMillis(1));
        assertFalse(channel.isOpen());
        assertEquals(List.of(ConnectionLimiter.Refusal.TIMED_OUT), refusals);
        assertTrue(String.valueOf(failures.get(0).getMessage()).contains("no handshake within 10000 ms"));
    }

    @Test
    void showsTheReasonOfARefusalWithoutControlCharacters() {
        ClientHandshake handshake =
                new ClientHandshake("peer", BOUND, Preamble.OURS, Lane.MESSAGES, SCOPE, security, this);
        channel.pipeline().addLast(handshake);
        ByteBuf preamble = Unpooled.buffer();
        Preamble.OURS.write(preamble);
        channel.writeInbound(preamble);
        channel.writeInbound(HandshakeFrame.refusal(
                channel.pipeline().context(handshake), ErrorCode.NO_ENDPOINT, "none\nWARN forged \u001b[2J"));
        assertEquals(ErrorCode.NO_ENDPOINT.name(), failures.get(0).code());
        assertEquals("peer: none WARN forged  [2J", failures.get(0).getMessage());
        assertFalse(channel.isOpen());
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Override
    public Optional<ScopeKey> scope(String name) {
        return Optional.of(SCOPE);
    }

    @Override
    public void accepted(EstablishedConnection connection) {
        throw new AssertionError("accepted");
    }

    @Override
    public void connected(EstablishedConnection connection) {
        throw new AssertionError("connected");
    }

    @Override
    public void refused(Channel refused, HearthException failure, ConnectionLimiter.Refusal reason) {
        failures.add(failure);
        refusals.add(reason);
    }

    @Override
    public void refused(HearthException failure) {
        failures.add(failure);
    }
}
