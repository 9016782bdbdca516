package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.master.ApplicationFigures;
import dev.hearth.standalone.internal.master.MasterFigures;
import dev.hearth.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MasterMetricsTest {
    @Test
    void measuresTheMasterOfThisProcessWhileThereIsOne() {
        MasterMetrics metrics = new MasterMetrics();
        assertEquals(List.of(), metrics.samples());
        FakeTicker ticker = new FakeTicker();
        long submitted = ticker.wall().toEpochMilli();
        ApplicationFigures application =
                new ApplicationFigures(new ApplicationId("app-1"), "PageRank", "RUNNING", 6, submitted);
        ticker.advance(Duration.ofMillis(1_500));
        metrics.open(() -> new MasterFigures(3, 1, 5, 2, 4, 3), () -> List.of(application), ticker);
        String prefix = "application.PageRank." + submitted + ".";
        assertEquals(
                List.of(
                        "master.workers 4.0",
                        "master.aliveWorkers 3.0",
                        "master.apps 5.0",
                        "master.waitingApps 2.0",
                        "master.drivers 4.0",
                        "master.runningDrivers 3.0",
                        prefix + "status 1.0",
                        prefix + "runtime_ms 1500.0",
                        prefix + "cores 6.0"),
                metrics.samples().stream()
                        .map(sample -> sample.name() + " " + sample.value())
                        .toList());
        assertEquals(
                Map.of("application", "app-1", "status", "RUNNING"),
                metrics.samples().get(6).labels());
        metrics.close();
        assertEquals(List.of(), metrics.samples());
    }
}
