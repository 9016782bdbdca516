package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.standalone.internal.worker.WorkerFigures;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Component;

/** Metrics of the worker of this process, with the names of Spark's. Without a worker there are none. Any thread may call. */
@Component(service = {MetricSource.class, WorkerMetrics.class})
public final class WorkerMetrics implements MetricSource {
    private volatile Supplier<List<WorkerFigures>> workers = List::of;

    void open(Supplier<WorkerFigures> worker) {
        workers = () -> List.of(worker.get());
    }

    void close() {
        workers = List::of;
    }

    @Override
    public List<Sample> samples() {
        return workers.get().stream()
                .flatMap(figures -> samples(figures).stream())
                .toList();
    }

    private static List<Sample> samples(WorkerFigures figures) {
        return List.of(
                gauge("worker.executors", figures.executors()),
                gauge("worker.coresUsed", figures.coresUsed()),
                gauge("worker.coresFree", figures.cores() - figures.coresUsed()),
                gauge("worker.memUsed_MB", figures.memoryUsed()),
                gauge("worker.memFree_MB", figures.memory() - figures.memoryUsed()));
    }

    private static Sample gauge(String name, int value) {
        return Sample.gauge(name, Map.of(), value);
    }
}
