package dev.hearth.status.store;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationEvent.JobEnded;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.JobView;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line about each ended job. It reads the counts from {@code status}, so it must receive each event after
 * {@code status} has processed that event.
 */
public final class JobSummaryLog implements ApplicationListener {
    private static final Logger LOG = LoggerFactory.getLogger(JobSummaryLog.class);
    private static final double MILLIS_PER_SECOND = 1000.0;
    private static final int FAILURE_CHARACTERS_MAX = 300;

    private final ApplicationStatus status;

    public JobSummaryLog(ApplicationStatus status) {
        this.status = status;
    }

    @Override
    public void on(ApplicationEvent event) {
        if (LOG.isInfoEnabled() && event instanceof JobEnded ended) {
            status.job(ended.job()).map(JobSummaryLog::line).ifPresent(LOG::info);
        }
    }

    @Override
    public boolean hearsTasks() {
        return false;
    }

    static String line(JobView job) {
        int skipped = job.stageCounts().skipped();
        int stages = job.stages().size() - skipped;
        int failed = job.taskCounts().failed();
        StringBuilder line = new StringBuilder("job ").append(job.id());
        String what = job.description().isEmpty() ? job.name() : job.description();
        if (!what.isEmpty()) {
            line.append(" (").append(what).append(')');
        }
        line.append(": ")
                .append(Quantity.of(job.tasks() - job.skippedTasks(), "task"))
                .append(" in ")
                .append(Quantity.of(stages, "stage"));
        if (skipped > 0) {
            line.append(" (").append(skipped).append(" skipped)");
        }
        if (failed > 0) {
            line.append(", ").append(Quantity.of(failed, "attempt")).append(" failed");
        }
        long millis = job.endedMillis().orElse(job.startedMillis()) - job.startedMillis();
        line.append(String.format(Locale.ROOT, ", %.1f s", Math.max(0, millis) / MILLIS_PER_SECOND));
        if (!job.failure().isEmpty()) {
            String why = job.failure().lines().findFirst().orElse("");
            line.append("; failed: ").append(why, 0, Math.min(why.length(), FAILURE_CHARACTERS_MAX));
        }
        return line.toString();
    }
}
