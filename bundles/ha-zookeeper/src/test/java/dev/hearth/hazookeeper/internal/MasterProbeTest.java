package dev.hearth.hazookeeper.internal;

import static dev.hearth.hazookeeper.internal.MasterProbe.Answer.ACCEPTED;
import static dev.hearth.hazookeeper.internal.MasterProbe.Answer.REFUSED;
import static dev.hearth.hazookeeper.internal.MasterProbe.Answer.SILENT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.testkit.ManualEventLoop;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests when a leader that does not answer at its port counts as gone. */
class MasterProbeTest {
    private final ManualEventLoop loop = new ManualEventLoop();

    /** Number of times a leader counts as gone whose host gives these answers, the last one again and again. */
    private int gone(MasterProbe.Answer... answers) {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger gone = new AtomicInteger();
        List<MasterProbe.Answer> all = List.of(answers);
        MasterProbe probe = new MasterProbe(
                master -> CompletableFuture.completedFuture(all.get(Math.min(asked.getAndIncrement(), all.size() - 1))),
                loop,
                "a:1",
                gone::incrementAndGet);
        for (int i = 0; i < 40; i++) {
            loop.pass(Duration.ofMillis(250));
        }
        probe.stop();
        return gone.get();
    }

    @Test
    void countsALeaderAsGoneThatWasReachedAndRefusesTwice() {
        assertEquals(1, gone(ACCEPTED, REFUSED));
        assertEquals(1, gone(SILENT, ACCEPTED, SILENT, REFUSED));
    }

    @Test
    void keepsALeaderThatWasNotReachedIsSilentOrAnswersAgain() {
        assertEquals(0, gone(REFUSED));
        assertEquals(0, gone(ACCEPTED, SILENT));
        assertEquals(0, gone(ACCEPTED, REFUSED, ACCEPTED, REFUSED, SILENT, REFUSED, ACCEPTED));
    }

    @Test
    void connectsByTcp() throws Exception {
        try (SocketReach reach = new SocketReach();
                ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + listening.getLocalPort();
            assertEquals(ACCEPTED, reach.connect(address).toCompletableFuture().get());
            assertEquals(
                    REFUSED, reach.connect("127.0.0.1:1").toCompletableFuture().get(), "no process listens there");
            assertEquals(
                    SILENT, reach.connect("no address").toCompletableFuture().get());
        }
    }
}
