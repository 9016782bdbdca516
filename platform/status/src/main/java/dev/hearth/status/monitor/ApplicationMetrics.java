package dev.hearth.status.monitor;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.JobView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.StageView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Metrics of the applications of this process, computed from their status at each call. Stateless. */
@Component(service = MetricSource.class)
public final class ApplicationMetrics implements MetricSource {
    private final OpenApplications applications;

    @Activate
    public ApplicationMetrics(@Reference OpenApplications applications) {
        this.applications = applications;
    }

    @Override
    public List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (RunningApplication application : applications.running()) {
            add(samples, application.status(), Map.of("application", application.id()));
        }
        return samples;
    }

    private static void add(List<Sample> samples, ApplicationStatus status, Map<String, String> labels) {
        int jobs = 0;
        for (JobView job : status.jobs()) {
            jobs += job.state() == JobView.State.RUNNING ? 1 : 0;
        }
        int running = 0;
        int waiting = 0;
        List<StageView> active = status.activeStages();
        for (StageView stage : active) {
            running += stage.taskCounts().active();
            waiting += Math.max(
                    0,
                    stage.info().tasks()
                            - stage.taskCounts().succeeded()
                            - stage.taskCounts().active());
        }
        int executors = 0;
        int cores = 0;
        for (ExecutorView executor : status.executors()) {
            if (executor.removedMillis().isEmpty()) {
                executors++;
                cores += executor.cores();
            }
        }
        samples.add(Sample.gauge("engine.jobs.active", labels, jobs));
        samples.add(Sample.gauge("engine.stages.active", labels, active.size()));
        samples.add(Sample.gauge("engine.tasks.active", labels, running));
        samples.add(Sample.gauge("engine.tasks.waiting", labels, waiting));
        samples.add(Sample.gauge("engine.executors", labels, executors));
        samples.add(Sample.gauge("engine.cores", labels, cores));
    }
}
