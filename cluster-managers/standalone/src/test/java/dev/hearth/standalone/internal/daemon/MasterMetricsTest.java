package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.standalone.internal.master.MasterFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

class MasterMetricsTest {
    @Test
    void measuresTheMasterOfThisProcessWhileThereIsOne() {
        MasterMetrics metrics = new MasterMetrics();
        assertEquals(List.of(), metrics.samples());
        metrics.open(() -> new MasterFigures(3, 1, 5, 2, 4, 3));
        assertEquals(
                List.of(
                        "master.workers 4.0",
                        "master.aliveWorkers 3.0",
                        "master.apps 5.0",
                        "master.waitingApps 2.0",
                        "master.drivers 4.0",
                        "master.runningDrivers 3.0"),
                metrics.samples().stream()
                        .map(sample -> sample.name() + " " + sample.value())
                        .toList());
        metrics.close();
        assertEquals(List.of(), metrics.samples());
    }
}
