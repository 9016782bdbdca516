package dev.hearth.rpc.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
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
        List<Runnable> begun = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            begun.add(backlog.entered(10));
        }
        assertReads(true);
        begun.add(backlog.entered(1));
        assertReads(false);
        for (int i = 0; i < 5; i++) {
            begun.get(i).run();
            assertReads(false);
        }
        begun.get(5).run();
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
