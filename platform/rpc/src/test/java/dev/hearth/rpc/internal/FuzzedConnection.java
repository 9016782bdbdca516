package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A peer and its endpoint on an embedded channel after the handshake, fed with bytes. Lives until the peer is lost or
 * the test closes it; used by one thread.
 */
final class FuzzedConnection implements AutoCloseable {
    static final String ENDPOINT = "fuzz";

    private static final int ASKS_MAX = 16;
    private static final RpcSettings SETTINGS =
            TestEnvs.settings(false, TestEnvs.MEBIBYTE, ASKS_MAX, Duration.ofSeconds(5));

    /** Unpooled, since pool chunks would hide the cost of a frame. */
    static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

    static final Protocol PROTOCOL = Protocol.named("fuzz", MethodHandles.lookup())
            .message(1, Everything.class)
            .message(2, Tree.class)
            .message(3, Launch.class)
            .message(4, Empty.class)
            .message(100, Honest.class)
            .build();

    private final List<CompletionStage<Everything>> asked = new ArrayList<>();
    private final ProtocolCodec codec;
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final NettyPeer peer;
    private int expected;
    private boolean received;
    private int lost;
    private int notifiedLosses;

    enum Kind {
        FIRST,
        SECOND
    }

    record Everything(
            boolean flag,
            int whole,
            long large,
            double real,
            String text,
            Bytes bytes,
            Kind kind,
            Duration time,
            Instant instant,
            OptionalInt number,
            OptionalLong maybe,
            List<Task> list,
            Optional<Task> optional,
            Map<String, List<Long>> map,
            byte tiny,
            short small,
            float single,
            char letter,
            List<Short> smalls,
            Map<Character, Optional<Float>> singles) {}

    record Task(long task, int partition, int attempt, Bytes input) {}

    record Launch(long template, List<Task> tasks) {}

    record Tree(String name, List<Tree> branches) {}

    record Empty() {}

    record Honest(int number) {}

    /** Shares {@code codec}, which belongs to {@link #PROTOCOL}, with other connections. */
    FuzzedConnection(ProtocolCodec codec) {
        this.codec = codec;
        Dispatch dispatch = Dispatch.inline();
        EndpointRegistry endpoints = new EndpointRegistry();
        PeerServices services = new PeerServices(
                SETTINGS,
                "fuzz",
                endpoints,
                new ProtocolCodecCache(),
                new FakeTicker(),
                gone -> lost++,
                EndpointDemand.NONE);
        endpoints.add(new Endpoint(
                ENDPOINT,
                codec,
                dispatch,
                Dispatcher.of(ENDPOINT, dispatch, Runnable::run, this::fail),
                new Answerer()));
        peer = new NettyPeer(1, "fuzzed", "none", channel, services);
        channel.config().setAllocator(ALLOCATOR);
        channel.pipeline().addLast(peer.start());
    }

    boolean isLost() {
        return peer.isLost();
    }

    /** Number of losses, which must equal the notifications of the endpoint: at most one. */
    int losses() {
        if (lost != notifiedLosses) {
            throw new AssertionError(lost + " losses; notifications of the endpoint: " + notifiedLosses);
        }
        return lost;
    }

    /** From now on {@link #received} refers to the honest message of that number. */
    void expect(int number) {
        expected = number;
        received = false;
    }

    boolean received() {
        return received;
    }

    /** Starts an ask, so that received answers are processed. */
    void ask() {
        asked.add(peer.ask(ENDPOINT, codec, new Empty(), Everything.class, Duration.ofMinutes(1)));
    }

    /**
     * Feeds {@code bytes}; returns the number of bytes sent back. Throws any failure other than the loss of the peer.
     */
    int read(ByteBuf bytes) {
        channel.writeInbound(bytes);
        channel.runPendingTasks();
        channel.checkException();
        int written = 0;
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            written += out.readableBytes();
            out.release();
        }
        return written;
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
    }

    private void fail(Throwable mistake) {
        throw new AssertionError("the endpoint failed", mistake);
    }

    /** Answers every ask, and detects the expected message. */
    private final class Answerer implements RpcEndpoint {
        @Override
        public void receive(Record message, RpcCall call) {
            if (message instanceof Honest honest) {
                received |= honest.number() == expected;
            }
            call.reply(message);
        }

        @Override
        public void peerLost(Peer gone, String reason) {
            notifiedLosses++;
        }
    }
}
