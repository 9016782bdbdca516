package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A deadline that moves to and fro, in virtual time. */
class DeadlineTest {
    private final MockTicker time = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(time).build();
    private final Deadline deadline = new Deadline(channel.eventLoop());
    private final List<String> late = new ArrayList<>();

    @AfterEach
    void closeChannel() {
        channel.finishAndReleaseAll();
    }

    @Test
    void movesEarlierAndLater() {
        set(60, "first");
        set(10, "earlier");
        pass(9);
        assertEquals(List.of(), late);
        set(10, "later");
        pass(9);
        assertEquals(List.of(), late);
        pass(1);
        assertEquals(List.of("later"), late);
        pass(60);
        assertEquals(List.of("later"), late, "each deadline at most once");
    }

    @Test
    void isEarlierThanTheOneItReplaces() {
        set(60, "first");
        set(10, "earlier");
        pass(10);
        assertEquals(List.of("earlier"), late);
    }

    @Test
    void runsNothingOnceCleared() {
        set(10, "cleared");
        deadline.clear();
        pass(10);
        assertEquals(List.of(), late);
        set(5, "next");
        pass(5);
        assertEquals(List.of("next"), late);
    }

    private void set(long seconds, String name) {
        deadline.set(Duration.ofSeconds(seconds), () -> late.add(name));
    }

    private void pass(long seconds) {
        time.advance(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
