package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.standalone.internal.master.MasterFigures;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Component;

/** Metrics of the master of this process, with the names of Spark's. Without a master there are none. Any thread may call. */
@Component(service = {MetricSource.class, MasterMetrics.class})
public final class MasterMetrics implements MetricSource {
    private volatile Supplier<List<MasterFigures>> masters = List::of;

    void open(Supplier<MasterFigures> master) {
        masters = () -> List.of(master.get());
    }

    void close() {
        masters = List::of;
    }

    @Override
    public List<Sample> samples() {
        return masters.get().stream()
                .flatMap(figures -> samples(figures).stream())
                .toList();
    }

    private static List<Sample> samples(MasterFigures figures) {
        return List.of(
                gauge("master.workers", figures.workersAlive() + figures.workersDead()),
                gauge("master.aliveWorkers", figures.workersAlive()),
                gauge("master.apps", figures.applications()),
                gauge("master.waitingApps", figures.applicationsWaiting()),
                gauge("master.drivers", figures.drivers()),
                gauge("master.runningDrivers", figures.driversRunning()));
    }

    private static Sample gauge(String name, int value) {
        return Sample.gauge(name, Map.of(), value);
    }
}
