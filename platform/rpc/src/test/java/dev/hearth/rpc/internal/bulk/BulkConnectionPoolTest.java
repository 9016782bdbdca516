package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections of the pool on embedded channels, in virtual time; the test is the other side of each. */
class BulkConnectionPoolTest {
    private static final int SIZE = 10;
    private static final Duration IDLE = BulkLimits.CLIENT_IDLE_MAX;

    private final FakeTicker ticker = new FakeTicker();
    private final EmbeddedChannel home = new EmbeddedChannel(); // its event loop is the home loop
    private final List<EmbeddedChannel> opened = new ArrayList<>();
    private final BulkConnectionPool pool = new BulkConnectionPool(
            address -> {
                EmbeddedChannel channel = new EmbeddedChannel();
                channel.freezeTime();
                opened.add(channel);
                return CompletableFuture.completedStage(channel);
            },
            new BulkServices(
                    BulkTimeouts.of(RpcTimes.DEFAULTS),
                    new PieceChecksumCache(ticker),
                    Runnable::run,
                    ticker,
                    () -> 1L),
            home.eventLoop());

    BulkConnectionPoolTest() {
        home.freezeTime();
    }

    @AfterEach
    void close() {
        pool.close();
        settle();
        opened.forEach(EmbeddedChannel::finishAndReleaseAll);
        home.finishAndReleaseAll();
    }

    @Test
    void closesAConnectionThatIsIdleOnceMore() {
        FetchExchange first = fetch();
        answer(0);
        assertTrue(first.isDone());
        pass(IDLE.minusSeconds(1));
        FetchExchange second = fetch();
        pass(Duration.ofSeconds(2)); // the timer of the first idle time fires
        assertEquals(1, opened.size());
        answer(0);
        assertTrue(second.isDone());
        pass(IDLE.minusSeconds(1));
        assertTrue(opened.get(0).isOpen());
        pass(Duration.ofSeconds(1));
        assertFalse(opened.get(0).isOpen());
        assertEquals(List.of(), pool.snapshots());
    }

    @Test
    void opensAnotherConnectionWhenATransferIsPaused() {
        List<FetchExchange> fetches = new ArrayList<>();
        for (int i = 0; i <= BulkLimits.CONNECTIONS_MAX; i++) {
            fetches.add(fetch());
        }
        assertEquals(BulkLimits.CONNECTIONS_MAX, opened.size());
        fetches.get(0).pause();
        settle();
        assertEquals(BulkLimits.CONNECTIONS_MAX + 1, opened.size(), "the last would wait for the reader of the first");
        answer(BulkLimits.CONNECTIONS_MAX);
        assertTrue(fetches.get(BulkLimits.CONNECTIONS_MAX).isDone());
    }

    /** Fetches a whole stream. */
    private FetchExchange fetch() {
        FetchExchange fetch = new FetchExchange(
                new RpcAddress("other", 7_000),
                new BulkRequest.Fetch("file", StreamRange.ALL),
                StreamRange.ALL,
                new CollectingSink());
        pool.submit(fetch);
        settle();
        return fetch;
    }

    /** Answers the request that was sent over a connection. */
    private void answer(int connection) {
        EmbeddedChannel channel = opened.get(connection);
        for (byte[] frame : List.of(
                EmbeddedServerConnection.frame(
                        BulkFrameKind.ANSWER, BulkWireFormat.answer(new StreamInfo(SIZE, "tag", 0, SIZE))),
                EmbeddedServerConnection.chunk(new byte[SIZE]),
                EmbeddedServerConnection.frame(BulkFrameKind.END, new byte[0]))) {
            channel.writeInbound(Unpooled.copiedBuffer(frame));
        }
        settle();
    }

    private void pass(Duration time) {
        ticker.advance(time);
        home.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        settle();
    }

    private void settle() {
        for (int i = 0; i < 5; i++) { // what one loop hands to the other and back
            home.runScheduledPendingTasks();
            home.runPendingTasks();
            List.copyOf(opened).forEach(EmbeddedChannel::runPendingTasks);
        }
    }
}
