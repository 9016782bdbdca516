package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.yarn.internal.allocator.AllocatorCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Component;

/** Metrics of the applications on YARN of this process, with Spark's names. Any thread may call. */
@Component(service = {MetricSource.class, YarnMetrics.class})
public final class YarnMetrics implements MetricSource {
    private final List<YarnApplication> applications = new CopyOnWriteArrayList<>();

    void add(YarnApplication application) {
        applications.add(application);
    }

    void remove(YarnApplication application) {
        applications.remove(application);
    }

    @Override
    public List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (YarnApplication application : applications) {
            AllocatorCounts counts = application.counts();
            Map<String, String> labels =
                    Map.of("application", application.identity().metricsName());
            samples.add(Sample.gauge("yarn.numExecutorsFailed", labels, counts.failed()));
            samples.add(Sample.gauge("yarn.numExecutorsRunning", labels, counts.running()));
            samples.add(Sample.gauge("yarn.numExecutorsStarting", labels, counts.starting()));
            samples.add(Sample.counter("yarn.numReleasedContainers", labels, counts.released()));
            samples.add(Sample.gauge("yarn.numLocalityAwareTasks", labels, counts.tasksWithHosts()));
            samples.add(Sample.gauge("yarn.numContainersPendingAllocate", labels, counts.pending()));
            application
                    .tokensLeft()
                    .ifPresent(left ->
                            samples.add(Sample.gauge("yarn.tokenSecondsLeft", labels, left.toMillis() / 1000.0)));
        }
        return samples;
    }
}
