package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.standalone.internal.worker.WorkerFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metrics of a worker. */
class WorkerMetricsTest {
    @Test
    void hasSparksMetricsWhileTheWorkerRuns() {
        WorkerMetrics metrics = new WorkerMetrics();
        assertEquals(List.of(), metrics.samples());
        metrics.open(() -> new WorkerFigures(2, 8, 3, 4_096, 1_024));
        assertEquals(
                List.of(
                        "worker.executors 2.0",
                        "worker.coresUsed 3.0",
                        "worker.coresFree 5.0",
                        "worker.memUsed_MB 1024.0",
                        "worker.memFree_MB 3072.0"),
                metrics.samples().stream()
                        .map(sample -> sample.name() + " " + sample.value())
                        .toList());
        metrics.close();
        assertEquals(List.of(), metrics.samples());
    }
}
