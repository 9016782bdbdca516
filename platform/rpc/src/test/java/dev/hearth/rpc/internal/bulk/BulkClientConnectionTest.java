package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A requesting connection on an embedded channel, in virtual time; the test is the other side. */
class BulkClientConnectionTest implements BulkClientConnection.Owner {
    private static final int SIZE = 100;
    private static final Duration SILENCE = RpcTimes.DEFAULTS.silence();

    private final FakeTicker ticker = new FakeTicker();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final BulkClientConnection connection = new BulkClientConnection(
            channel,
            "other",
            new BulkServices(
                    BulkTimeouts.of(RpcTimes.DEFAULTS),
                    new PieceChecksumCache(ticker),
                    Runnable::run,
                    ticker,
                    () -> 1L),
            this);
    private final FetchExchange fetch = new FetchExchange(
            new RpcAddress("other", 7_000),
            new BulkRequest.Fetch("file", StreamRange.ALL),
            StreamRange.ALL,
            new CollectingSink());

    BulkClientConnectionTest() {
        channel.freezeTime();
        channel.pipeline().addLast(connection);
        connection.send(fetch);
        channel.runPendingTasks();
        receive(EmbeddedServerConnection.frame(
                BulkFrameKind.ANSWER, BulkWireFormat.answer(new StreamInfo(SIZE, "tag", 0, SIZE))));
    }

    @AfterEach
    void closeChannel() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aPausedTransferMayBeSilentAndItsTimeBeginsWhenItResumes() {
        fetch.pause();
        channel.runPendingTasks();
        pass(SILENCE.multipliedBy(3));
        assertTrue(channel.isOpen(), "the other side cannot send");
        fetch.resume();
        channel.runPendingTasks();
        pass(SILENCE.multipliedBy(3).dividedBy(4));
        assertTrue(channel.isOpen());
        pass(SILENCE.dividedBy(2));
        assertFalse(channel.isOpen());
        assertEquals(ErrorCode.PEER_LOST.name(), BulkPair.failure(fetch.done()).code());
    }

    @Test
    void anEndBeforeTheLastByteIsMalformed() {
        receive(EmbeddedServerConnection.chunk(new byte[SIZE - 1]));
        receive(EmbeddedServerConnection.frame(BulkFrameKind.END, new byte[0]));
        assertFalse(channel.isOpen());
        assertEquals(
                ErrorCode.MALFORMED_MESSAGE.name(),
                BulkPair.failure(fetch.done()).code());
    }

    private void receive(byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        channel.runPendingTasks();
    }

    private void pass(Duration time) {
        Duration step = SILENCE.dividedBy(60);
        for (long left = time.dividedBy(step); left > 0; left--) {
            ticker.advance(step);
            channel.advanceTimeBy(step.toNanos(), TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }

    @Override
    public void freed(BulkClientConnection freed) {
        // takes no other exchange
    }

    @Override
    public void paused(BulkClientConnection changed, boolean paused) {
        // has no other connection
    }

    @Override
    public void retry(BulkClientConnection ended, BulkExchange exchange) {
        throw new AssertionError("an exchange that was answered");
    }

    @Override
    public void closed(BulkClientConnection ended) {
        assertEquals(connection, ended);
    }
}
