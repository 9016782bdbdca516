package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.time.Ticker;
import dev.hearth.standalone.internal.master.ApplicationFigures;
import dev.hearth.standalone.internal.master.MasterFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Component;

/**
 * Metrics of the master of this process and of its applications, with the names of Spark's. Without a master there are none.
 * Any thread may call.
 */
@Component(service = {MetricSource.class, MasterMetrics.class})
public final class MasterMetrics implements MetricSource {
    private volatile Supplier<List<Sample>> samples = List::of;

    /** Measures a master from now on; {@code ticker} is the clock of its times. */
    void open(Supplier<MasterFigures> master, Supplier<List<ApplicationFigures>> applications, Ticker ticker) {
        samples = () -> {
            List<Sample> all = new ArrayList<>(samples(master.get()));
            long wallMillis = ticker.wall().toEpochMilli();
            applications.get().forEach(application -> all.addAll(samples(application, wallMillis)));
            return List.copyOf(all);
        };
    }

    void close() {
        samples = List::of;
    }

    @Override
    public List<Sample> samples() {
        return samples.get();
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

    /** Spark's status is a text; here it is a label of a sample with the value 1. */
    private static List<Sample> samples(ApplicationFigures application, long wallMillis) {
        String prefix = "application." + application.name() + "." + application.submittedMillis() + ".";
        Map<String, String> labels = Map.of("application", application.id().value());
        return List.of(
                Sample.gauge(
                        prefix + "status",
                        Map.of("application", application.id().value(), "status", application.status()),
                        1),
                Sample.gauge(prefix + "runtime_ms", labels, (double)
                        Math.max(0, wallMillis - application.submittedMillis())),
                Sample.gauge(prefix + "cores", labels, application.cores()));
    }

    private static Sample gauge(String name, int value) {
        return Sample.gauge(name, Map.of(), value);
    }
}
