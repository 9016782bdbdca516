package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Backlog backlog = new Backlog(channel, "test", 100);

    @AfterEach
    void closeChannel() {
        channel.finishAndReleaseAll();
    }

    @Test
    void stopsReadingAboveTheBoundUntilHalfIsHandled() {
        for (int i = 0; i < 10; i++) {
            backlog.queued(10);
        }
        assertReads(true);
        backlog.queued(1);
        assertReads(false);
        for (int i = 0; i < 5; i++) {
            backlog.started(10);
            assertReads(false);
        }
        backlog.started(10);
        assertReads(true);
    }

    private void assertReads(boolean expected) {
        channel.runPendingTasks();
        if (expected) {
            assertTrue(channel.config().isAutoRead());
        } else {
            assertFalse(channel.config().isAutoRead());
        }
    }
}
