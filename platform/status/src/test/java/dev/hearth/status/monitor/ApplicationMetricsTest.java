package dev.hearth.status.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.metrics.MetricSource.Sample;
import dev.hearth.testkit.TestingApplication;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests that metrics cover the open applications and no others. */
class ApplicationMetricsTest {
    @Test
    void countsActiveJobsStagesTasksAndExecutors() {
        OpenApplications applications = new OpenApplications();
        ApplicationMetrics meter = new ApplicationMetrics(applications);
        assertEquals(List.of(), meter.samples());
        try (OpenApplications.Registration shown = applications.open(new TestingApplication("app-1"))) {
            Map<String, Double> values = new TreeMap<>();
            for (Sample sample : meter.samples()) {
                assertEquals(Map.of("application", "app-1"), sample.labels());
                values.put(sample.name(), sample.value());
            }
            assertEquals(1, values.get("engine.jobs.active"), shown.toString());
            assertEquals(1, values.get("engine.stages.active"));
            assertEquals(1, values.get("engine.tasks.active"));
            assertEquals(1, values.get("engine.executors"));
        }
        assertEquals(List.of(), meter.samples());
    }
}
