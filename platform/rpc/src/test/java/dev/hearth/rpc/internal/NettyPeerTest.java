package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.RecordingEndpoint.Answer;
import dev.hearth.rpc.internal.RecordingEndpoint.Load;
import dev.hearth.rpc.internal.RecordingEndpoint.Question;
import dev.hearth.rpc.internal.RecordingEndpoint.Say;
import dev.hearth.rpc.internal.RecordingEndpoint.Wish;
import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.rpc.internal.codec.WireInput;
import dev.hearth.rpc.internal.codec.WireOutput;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer on an embedded channel whose other side does not read, or is not read from, in virtual time. */
class NettyPeerTest {
    private static final RpcSettings SETTINGS =
            TestEnvs.settings(false, TestEnvs.MEBIBYTE, 1_000, Duration.ofSeconds(5));
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int ASKED_AGAIN_MAX = 10_000;
    private static final byte[] PING = {0, 0, 0, 1, (byte) MessageFrameKind.PING.code()};
    private static final byte[] PONG = {0, 0, 0, 1, (byte) MessageFrameKind.PONG.code()};

    private final FakeTicker ticker = new FakeTicker();
    private final PausedChannel channel = new PausedChannel();
    private final ProtocolCodec codec = new ProtocolCodec(RecordingEndpoint.PROTOCOL);
    private final EndpointRegistry endpoints = new EndpointRegistry();
    private final NettyPeer peer = new NettyPeer(
            1,
            "other",
            "none",
            channel,
            new PeerServices(
                    SETTINGS, "test", endpoints, new ProtocolCodecCache(), ticker, gone -> {}, EndpointDemand.NONE));

    NettyPeerTest() {
        channel.freezeTime();
        channel.pipeline().addLast(peer.start());
    }

    @AfterEach
    void closeChannel() {
        channel.finishAndReleaseAll();
    }

    @Test
    void timesOutAsksThatCannotEvenBeWritten() {
        readsNothing(true);
        CompletionStage<Answer> answer = ask(1);
        channel.runPendingTasks();
        pass(Duration.ofMillis(900));
        assertFalse(answer.toCompletableFuture().isDone());
        pass(SECOND);
        assertTrue(answer.toCompletableFuture().isDone(), "it waits for longer than it was to");
        assertEquals(ErrorCode.ASK_TIMED_OUT.name(), TestEnvs.failure(answer).code());
        readsNothing(false);
        channel.runPendingTasks();
        assertEquals(0, written(), "no caller waits for the answer");
        assertEquals(0, peer.state().bytesQueued());
    }

    @Test
    void countsWhatSmallFramesCostBesideTheirBytes() {
        readsNothing(true);
        int pings = 400_000;
        ByteBuf in = Unpooled.buffer(pings * PING.length);
        for (int i = 0; i < pings; i++) {
            in.writeBytes(PING);
        }
        channel.writeInbound(in);
        channel.runPendingTasks();
        assertTrue(peer.isLost(), () -> peer.state() + " waits for a peer that reads nothing");
    }

    @Test
    void closesWithoutBufferingWhatTheOtherSideDoesNotTake() {
        readsNothing(true);
        for (int i = 0; i < 100; i++) {
            peer.send(RecordingEndpoint.ENDPOINT, codec, new Load(i, Bytes.owning(new byte[100_000])));
        }
        channel.runPendingTasks();
        peer.close();
        channel.runPendingTasks();
        assertTrue(peer.isLost());
        assertTrue(written() < TestEnvs.MEBIBYTE, "all of it was copied into buffers outside the heap");
    }

    @Test
    void failsAsksWithTheCauseOfTheClosingFromTheCallToCloseOn() {
        peer.close();
        assertFalse(peer.isLost(), "the event loop ends the connection");
        HearthException failure = TestEnvs.failure(ask(1));
        assertEquals(ErrorCode.PEER_LOST.name(), failure.code());
        assertTrue(failure.getMessage().contains("this process closed the connection"), failure::getMessage);
        peer.closeLocally("a later cause");
        channel.runPendingTasks();
        assertTrue(peer.isLost());
        assertFalse(TestEnvs.failure(ask(2)).getMessage().contains("a later cause"), "the first cause wins");
    }

    @Test
    void isLostRatherThanSkippingAFrameItCannotWrite() {
        channel.config().setAllocator(new Exhausted());
        peer.send(RecordingEndpoint.ENDPOINT, codec, new Say("first", 1));
        channel.runPendingTasks();
        channel.config().setAllocator(UnpooledByteBufAllocator.DEFAULT);
        peer.send(RecordingEndpoint.ENDPOINT, codec, new Say("second", 2));
        channel.runPendingTasks();
        assertTrue(peer.isLost());
        assertEquals(0, written(), "the second without the first");
    }

    @Test
    void showsThatItIsAliveWhileItDoesNotRead() {
        peer.backlog().hold("full");
        channel.runPendingTasks();
        for (int silence = 0; silence < 3; silence++) {
            pass(SETTINGS.times().silence());
            ByteBuf received = channel.readOutbound();
            assertEquals(Unpooled.wrappedBuffer(PONG), received, "the other side takes it for dead");
            received.release();
        }
        assertFalse(peer.isLost());
    }

    @Test
    void resumesReadingWhenTheFullEndpointIsClosed() {
        Endpoint endpoint = full();
        endpoints.add(endpoint);
        for (int i = 0; i < 3; i++) {
            endpoint.deliver(new InboundMessage(endpoint, peer, InboundMessage.NOT_ASKED, new Say("held", i), 10));
        }
        channel.runPendingTasks();
        assertFalse(channel.config().isAutoRead());
        endpoints.remove(endpoint);
        channel.runPendingTasks();
        assertTrue(channel.config().isAutoRead(), "reading would never resume");
        endpoint.deliver(new InboundMessage(endpoint, peer, 7, new Say("late", 1), 10));
        channel.runPendingTasks();
        assertTrue(written() > 0, "an ask of a closed endpoint fails");
        assertTrue(channel.config().isAutoRead());
    }

    @Test
    void resumesReadingWhenTheFullEndpointIsClosedAsReadingStops() {
        Endpoint endpoint = full();
        endpoints.add(endpoint);
        endpoint.deliver(new InboundMessage(endpoint, peer, InboundMessage.NOT_ASKED, new Say("held", 1), 10));
        channel.pausing = () -> endpoints.remove(endpoint);
        endpoint.deliver(new InboundMessage(endpoint, peer, InboundMessage.NOT_ASKED, new Say("held", 2), 10));
        channel.runPendingTasks();
        assertTrue(channel.config().isAutoRead(), "reading would never resume");
    }

    @Test
    void readsOnHoweverManyAsksAFullEndpointRefuses() {
        endpoints.add(full());
        Load load = new Load(1, Bytes.owning(new byte[TestEnvs.MEBIBYTE / 2]));
        for (int i = 0; i < 40; i++) { // more bytes than may wait
            receive(new FrameWriter(TestEnvs.MEBIBYTE).ask(i, RecordingEndpoint.ENDPOINT, codec, load));
            channel.runPendingTasks();
            assertTrue(channel.config().isAutoRead(), "after " + i);
            written();
        }
    }

    @Test
    void logsTheFirstMessageToAnUnknownEndpointAndThenACount() {
        try (RecordedLogs.Recording logs = RecordedLogs.begin()) {
            stray("nowhere", 1_000);
            assertEquals(1, warnings(logs).size(), () -> logs.lines().toString());
            assertTrue(warnings(logs).get(0).contains("'nowhere'"));
            stray("no\nwhere", 1);
            passWithPings(DeadLetterLog.INTERVAL.minus(SECOND));
            assertEquals(1, warnings(logs).size());
            passWithPings(SECOND);
            assertEquals(2, warnings(logs).size());
            assertTrue(
                    warnings(logs).get(1).contains("1000 more messages")
                            && warnings(logs).get(1).contains("'no where'"),
                    () -> warnings(logs).get(1));
            passWithPings(DeadLetterLog.INTERVAL);
            stray("nowhere", 3);
            assertEquals(3, warnings(logs).size(), "the first after a quiet interval");
            peer.close();
            channel.runPendingTasks();
            assertEquals(4, warnings(logs).size(), "what was counted when the peer is lost");
            assertTrue(
                    warnings(logs).get(3).contains("2 more messages"),
                    () -> warnings(logs).get(3));
        }
    }

    @Test
    void refusesAsksThatAreAskedAgainAtOnceWithoutStandingStill() {
        int asksMax = SETTINGS.limits().asksPerPeerMax();
        for (int i = 0; i < asksMax; i++) {
            ask(i);
        }
        AtomicInteger refusals = new AtomicInteger();
        askAgainAndAgain(refusals);
        channel.runPendingTasks();
        assertTrue(refusals.get() <= 1, () -> refusals.get() + " refusals without a turn for anything else");
        Duration refusal = Duration.ofMillis(PendingAsks.REFUSAL_MILLIS);
        pass(refusal);
        pass(refusal);
        assertTrue(refusals.get() >= 1 && refusals.get() <= 3, () -> refusals.get() + " refusals");
        assertEquals(0, peer.state().bytesQueued());
        peer.close();
        channel.runPendingTasks();
        assertEquals(0, peer.state().asksUnderWay());
    }

    @Test
    void holdsBackAsksWhenTooManyWaitToBeRefused() {
        int asksMax = SETTINGS.limits().asksPerPeerMax();
        int tooMany = PendingAsks.REFUSALS_MAX + 10;
        List<CompletionStage<Answer>> refused = new ArrayList<>();
        for (int i = 0; i < asksMax + tooMany; i++) {
            CompletionStage<Answer> answer = ask(i);
            if (i >= asksMax) {
                refused.add(answer);
            }
        }
        channel.runPendingTasks();
        assertTrue(peer.state().bytesQueued() > 0, "what has not been looked at yet waits where it is counted");
        pass(Duration.ofMillis(PendingAsks.REFUSAL_MILLIS));
        assertEquals(0, peer.state().bytesQueued());
        pass(Duration.ofMillis(PendingAsks.REFUSAL_MILLIS));
        for (CompletionStage<Answer> each : refused) {
            assertEquals(ErrorCode.TOO_MANY_ASKS.name(), TestEnvs.failure(each).code());
        }
    }

    @Test
    void runsActionsSubmittedAfterTheEndOfAnOwnThread() throws Exception {
        Dispatcher place = Dispatcher.of("own", Dispatch.ownThread(), Runnable::run, thrown -> {});
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        place.run(() -> ran.complete(Thread.currentThread()));
        Thread own = TestEnvs.await(ran);
        place.close();
        own.join(TestEnvs.BOUND.toMillis());
        assertFalse(own.isAlive());
        AtomicInteger late = new AtomicInteger();
        place.run(late::incrementAndGet);
        assertEquals(1, late.get(), "otherwise its caller would wait for ever");
    }

    @Test
    void failsAsksThatAreHeldBackWhenThePeerIsLost() {
        int asksMax = SETTINGS.limits().asksPerPeerMax();
        List<CompletionStage<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < asksMax + PendingAsks.REFUSALS_MAX + 10; i++) {
            answers.add(ask(i));
        }
        channel.runPendingTasks();
        peer.close();
        channel.runPendingTasks();
        for (CompletionStage<Answer> each : answers) {
            assertTrue(each.toCompletableFuture().isDone(), "its caller would wait for ever");
            assertEquals(ErrorCode.PEER_LOST.name(), TestEnvs.failure(each).code());
        }
    }

    @Test
    void forgetsAnAskThatItsCallerAborts() {
        PendingAsk<Answer> ask = ask(SECOND);
        channel.runPendingTasks();
        assertEquals(1, peer.state().asksUnderWay());
        ask.abort();
        channel.runPendingTasks();
        assertEquals(0, peer.state().asksUnderWay());
        assertEquals(ErrorCode.ASK_ABORTED.name(), TestEnvs.failure(ask).code());
    }

    @Test
    void timesOutEachAskAtItsOwnTime() {
        List<PendingAsk<Answer>> asks = new ArrayList<>();
        for (int seconds : new int[] {1, 4, 2, 3}) {
            asks.add(ask(Duration.ofSeconds(seconds)));
        }
        channel.runPendingTasks();
        for (int index : new int[] {0, 2, 3, 1}) {
            assertFalse(asks.get(index).isDone());
            pass(SECOND);
            assertTrue(asks.get(index).isDone(), "it waits for longer than it was to");
            assertEquals(
                    ErrorCode.ASK_TIMED_OUT.name(),
                    TestEnvs.failure(asks.get(index)).code());
        }
    }

    /** A search in a table without a free slot would not end. */
    @Test
    void ignoresALateAnswerHoweverManyAsksWait() {
        WireOutput late = new FrameWriter(TestEnvs.MEBIBYTE).answer(1_000_000, codec, new Answer(1));
        for (int waiting = 1; waiting <= 64; waiting++) {
            ask(waiting);
            channel.runPendingTasks();
            assertTimeoutPreemptively(TestEnvs.BOUND, () -> receive(late));
            assertEquals(waiting, peer.state().asksUnderWay());
        }
    }

    @Test
    void isLostOnceTheSilenceIsOverAndNotLater() {
        Duration part = SETTINGS.times().silence().dividedBy(12);
        for (int i = 0; i < 5; i++) {
            pass(part);
        }
        channel.writeInbound(Unpooled.copiedBuffer(PONG));
        for (int i = 0; i < 11; i++) {
            pass(part);
        }
        assertFalse(peer.isLost());
        pass(part);
        assertTrue(peer.isLost());
    }

    @Test
    void takesAFrameOfTheGreatestSizeAndNoneBeyond() {
        byte[] greatest = new byte[TestEnvs.MEBIBYTE];
        greatest[0] = (byte) MessageFrameKind.PING.code();
        channel.writeInbound(Unpooled.buffer().writeInt(greatest.length).writeBytes(greatest));
        assertFalse(peer.isLost());
        assertEquals(PONG.length, written());
        channel.writeInbound(Unpooled.buffer().writeInt(greatest.length + 1));
        assertTrue(peer.isLost());
    }

    @Test
    void boundsTheTextOfAFailure() {
        String text = "x".repeat(100_000);
        WireOutput frame = new FrameWriter(TestEnvs.MEBIBYTE).failure(7, ErrorCode.INTERNAL.name(), text);
        assertTrue(frame.size() < 17 * 1024, () -> frame.size() + " bytes");
        WireInput in = new WireInput(frame.array(), 0, frame.size());
        assertEquals(MessageFrameKind.FAILURE.code(), in.takeByte());
        assertEquals(7, in.takeLong());
        assertEquals(ErrorCode.INTERNAL.name(), in.takeText());
        assertTrue(in.takeText().endsWith("x... (100000 characters in all)"));
    }

    /** An endpoint that handles nothing and takes one message. */
    private Endpoint full() {
        Dispatch dispatch = Dispatch.on(new StoppedLoop()).waitingAtMost(1);
        return new Endpoint(
                RecordingEndpoint.ENDPOINT,
                codec,
                dispatch,
                Dispatcher.of(RecordingEndpoint.ENDPOINT, dispatch, Runnable::run, thrown -> {}),
                new RecordingEndpoint());
    }

    private PendingAsk<Answer> ask(Duration timeout) {
        return peer.ask(RecordingEndpoint.ENDPOINT, codec, new Question(Wish.ECHO, 1), Answer.class, timeout);
    }

    private void receive(WireOutput frame) {
        channel.writeInbound(Unpooled.buffer().writeInt(frame.size()).writeBytes(frame.array(), 0, frame.size()));
    }

    private CompletionStage<Answer> ask(int number) {
        return peer.ask(RecordingEndpoint.ENDPOINT, codec, new Question(Wish.ECHO, number), Answer.class, SECOND);
    }

    /**
     * Asks again after each refusal, like a naive caller; a bounded number of times, so that a failure of the test
     * ends.
     */
    private void askAgainAndAgain(AtomicInteger refusals) {
        ask(0).whenComplete((answer, failure) -> {
            if (failure instanceof HearthException known
                    && known.code().equals(ErrorCode.TOO_MANY_ASKS.name())
                    && refusals.incrementAndGet() < ASKED_AGAIN_MAX) {
                askAgainAndAgain(refusals);
            }
        });
    }

    /** Receives messages to an unknown endpoint. */
    private void stray(String endpoint, int messages) {
        WireOutput frame = new FrameWriter(TestEnvs.MEBIBYTE).send(endpoint, codec, new Say("stray", 1));
        ByteBuf in = Unpooled.buffer();
        for (int i = 0; i < messages; i++) {
            in.writeInt(frame.size()).writeBytes(frame.array(), 0, frame.size());
        }
        channel.writeInbound(in);
    }

    private static List<String> warnings(RecordedLogs.Recording logs) {
        return logs.lines().stream()
                .filter(line -> line.startsWith("WARN " + DeadLetterLog.class.getName()))
                .toList();
    }

    private void readsNothing(boolean nothing) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, !nothing);
    }

    private void pass(Duration time) {
        ticker.advance(time);
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** Advances the time while the other side sends a ping every second. */
    private void passWithPings(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            channel.writeInbound(Unpooled.copiedBuffer(PING));
            pass(SECOND);
        }
    }

    private int written() {
        int bytes = 0;
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            bytes += out.readableBytes();
            out.release();
        }
        return bytes;
    }

    /** Channel that runs an action when it is about to read no more. */
    private static final class PausedChannel extends EmbeddedChannel {
        private Runnable pausing = () -> {};
        private final @Nullable ChannelConfig observed = new DefaultChannelConfig(this) {
            @Override
            public ChannelConfig setAutoRead(boolean autoRead) {
                if (!autoRead) {
                    pausing.run();
                }
                return super.setAutoRead(autoRead);
            }
        };

        @Override
        public ChannelConfig config() {
            return observed == null ? super.config() : observed; // null while the superclass is constructed
        }
    }

    /** Allocator without direct memory. */
    private static final class Exhausted extends AbstractByteBufAllocator {
        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return Unpooled.buffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            // not the JDK's OutOfMemoryError, which would end the tests
            throw new Error("no memory outside the heap is left");
        }
    }

    /** An event loop that its owner has closed. */
    private static final class StoppedLoop implements EventLoop {
        @Override
        public Ticker ticker() {
            return Ticker.system();
        }

        @Override
        public boolean inLoop() {
            return false;
        }

        @Override
        public void execute(Runnable action) {
            // closed: no action runs
        }

        @Override
        public Timeout schedule(Duration delay, Runnable action) {
            return () -> {};
        }

        @Override
        public void close() {
            // it is closed
        }
    }
}
