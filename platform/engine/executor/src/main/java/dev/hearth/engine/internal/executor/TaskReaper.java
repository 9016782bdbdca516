package dev.hearth.engine.internal.executor;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.spi.error.ExitCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches killed attempts until they have ended, and logs those that still run. After the timeout it abandons an
 * attempt: in the driver's process it reports the attempt as ended and replaces its core. In an executor's own process
 * it ends the process. Any thread may call.
 */
final class TaskReaper {
    private static final Logger LOG = LoggerFactory.getLogger(TaskReaper.class);
    private static final int FRAMES_MAX = 40;

    private final TaskServices services;
    private final ReaperSettings settings;
    private final Consumer<TaskCore> replace;
    // watched attempts, with the start of the watch in nanoseconds
    private final Map<TaskAttempt, Long> watched = new ConcurrentHashMap<>();

    TaskReaper(TaskServices services, Consumer<TaskCore> replace) {
        this.services = services;
        this.settings = services.reaper();
        this.replace = replace;
    }

    /** Starts to watch {@code attempt}, which runs on {@code core} and has just been killed, until it has ended. */
    void watch(TaskCore core, TaskAttempt attempt, Cores cores) {
        if (settings.enabled() && watched.putIfAbsent(attempt, services.clocks().nanos()) == null) {
            cores.after(nextCheck(), () -> check(core, attempt, cores));
        }
    }

    void ended(TaskAttempt attempt) {
        if (!watched.isEmpty()) {
            watched.remove(attempt);
        }
    }

    private Duration nextCheck() {
        return settings.killTimeout()
                .filter(timeout -> timeout.compareTo(settings.interval()) < 0)
                .orElse(settings.interval());
    }

    private void check(TaskCore core, TaskAttempt attempt, Cores cores) {
        Long since = watched.get(attempt);
        if (since == null || !attempt.isRunning()) {
            watched.remove(attempt);
            return;
        }
        Duration waited = Duration.ofNanos(services.clocks().nanos() - since);
        LOG.warn(
                "{}: killed {} ms ago and still running: {}{}",
                attempt,
                waited.toMillis(),
                attempt.killReason(),
                settings.threadDump() ? stack(attempt.thread) : "");
        if (settings.killTimeout().isPresent()
                && waited.compareTo(settings.killTimeout().get()) >= 0) {
            abandon(core, attempt, settings.killTimeout().get());
        } else {
            cores.after(nextCheck(), () -> check(core, attempt, cores));
        }
    }

    private void abandon(TaskCore core, TaskAttempt attempt, Duration timeout) {
        watched.remove(attempt);
        String what = attempt + ": still running " + timeout.toMillis() + " ms after it was killed: "
                + attempt.killReason() + " (expected: an end within hearth.task.reaper.killTimeout)";
        if (!services.inDriver()) {
            services.fatality().report(ExitCode.FAILED, what + "; its executor ends");
        } else if (attempt.abandon()) {
            LOG.error("{}; its thread {} is abandoned, and another takes its place", what, attempt.thread.getName());
            core.retire();
            core.addEnd(TaskEnd.ended(
                    attempt.taskId(),
                    TaskOutcome.KILLED,
                    TaskFailure.of(attempt.killReason() + "; the task did not end, and its thread is abandoned"),
                    attempt.metrics()));
            core.handOver();
            replace.accept(core);
        }
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .limit(FRAMES_MAX)
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining());
    }
}
