package dev.hearth.standalone.internal.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import dev.hearth.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Notices of executors whose workers leave. */
class LeavingExecutorsTest {
    private static final ExecutorId EXECUTOR = new ExecutorId("3");

    private final List<String> heard = new ArrayList<>();
    private final FakeTicker ticker = new FakeTicker();
    private final LeavingExecutors leaving = new LeavingExecutors(Recorder::new, ticker);

    private final class Recorder implements ExecutorListener {
        @Override
        public void started(ExecutorId executor, String host, int cores) {}

        @Override
        public void leaving(ExecutorId executor, String reason) {
            heard.add(executor + " " + reason);
        }

        @Override
        public void leaving(ExecutorId executor, String reason, Duration within) {
            heard.add(executor + " " + reason + " " + within.toMillis());
        }

        @Override
        public void lost(ExecutorId executor, LostExecutor why) {}

        @Override
        public void clusterLost(HearthException why) {}
    }

    @Test
    void repeatsTheNoticeWithTheTimeThatIsLeftWhenTheExecutorRegisters() {
        leaving.leaves(new ExecutorLeaves(EXECUTOR, "why", OptionalLong.of(5_000)));
        ticker.advance(Duration.ofSeconds(2));
        leaving.registered(EXECUTOR);
        ticker.advance(Duration.ofSeconds(9));
        leaving.registered(EXECUTOR);
        leaving.registered(new ExecutorId("4"));
        leaving.gone(EXECUTOR);
        leaving.registered(EXECUTOR);
        assertEquals(List.of("3 why 5000", "3 why 3000", "3 why 0"), heard);
    }

    @Test
    void setsNoTimeWithoutOne() {
        leaving.leaves(new ExecutorLeaves(EXECUTOR, "why", OptionalLong.empty()));
        assertEquals(List.of("3 why"), heard);
    }
}
