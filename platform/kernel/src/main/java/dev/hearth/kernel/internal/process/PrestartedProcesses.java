package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.Prestart;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts child processes before they are needed, as {@link PrestartPlan} decides. Such a process has loaded the bundles of
 * its role and waits for its launch orders; no code of a user has run in it.
 * <p>Guarded by its own lock. Threads of an executor start and end the processes.
 */
final class PrestartedProcesses {
    private static final Logger LOG = LoggerFactory.getLogger(PrestartedProcesses.class);
    /** Time after the start of a child in which no process is prestarted: the child uses the processors. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final Map<String, String> ownEnvironment;
    private final Prestart rule;
    private final Ticker ticker;
    private final PrestartPlan<ProcessStart> plan;
    private final Map<String, PrestartedProcess> waiting = new LinkedHashMap<>(); // by role
    private final Delay delay;
    private boolean isPassDue;
    private long passAt;
    private long started;
    private boolean closed;

    /** Runs an action after a time, on a thread that may start and end processes. Tests replace it by simulated time. */
    interface Delay {
        void run(long nanos, Runnable action);

        /** Runs actions on {@code work} in real time. */
        static Delay on(Executor work) {
            return (nanos, action) -> CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, work)
                    .execute(action);
        }
    }

    /** {@code ownEnvironment} is the environment of this process; {@code delay} runs what starts and ends processes. */
    PrestartedProcesses(Prestart rule, Map<String, String> ownEnvironment, Ticker ticker, Delay delay) {
        this.rule = rule;
        this.ownEnvironment = ownEnvironment;
        this.ticker = ticker;
        plan = new PrestartPlan<>(QUIET.toNanos(), rule.timeout().toNanos());
        this.delay = delay;
    }

    /**
     * Handles the start of a child. Returns the process that becomes the child; empty if the caller must start one.
     */
    synchronized Optional<PrestartedProcess> childStarts(ProcessStart start) {
        if (closed || start.user().isPresent()) { // a work directory of another user is not moved
            return Optional.empty();
        }
        Optional<PrestartedProcess> taken = Optional.empty();
        if (plan.childStarts(start.role(), start, ticker.nanos())) {
            taken = Optional.ofNullable(waiting.remove(start.role()));
            if (taken.isPresent() && !taken.get().process().isAlive()) { // its end is not handled yet
                taken.get().forget();
                taken = Optional.empty();
            }
        }
        schedule();
        return taken;
    }

    synchronized void childEnded(String role) {
        if (!closed) {
            plan.childEnded(role, ticker.nanos());
            schedule();
        }
    }

    /** Runs {@link #pass} when the plan has something to do, unless such a run or an earlier one is due already. */
    private void schedule() {
        long now = ticker.nanos();
        plan.delayNanos(now).ifPresent(nanos -> {
            long at = now + nanos;
            if (!isPassDue || at - passAt < 0) {
                isPassDue = true;
                passAt = at;
                delay.run(nanos, () -> pass(at));
            }
        });
    }

    private synchronized void pass(long at) {
        if (closed || !isPassDue || at != passAt) { // an earlier run has taken the place of this one
            return;
        }
        isPassDue = false;
        plan.passed(ticker.nanos());
        for (PrestartPlan.Action<ProcessStart> action : plan.actions()) {
            PrestartedProcess before = waiting.remove(action.role());
            if (before != null) {
                before.end();
            }
            action.start().ifPresent(this::start);
        }
        schedule();
    }

    private void start(ProcessStart start) {
        Path directory = rule.directory().resolve(ProcessHandle.current().pid() + "-" + started++);
        try {
            WorkDirectory.createMarked(directory);
            ProcessStart.Forked forked = start.forkAhead(directory, ownEnvironment, rule.scheme());
            PrestartedProcess process = new PrestartedProcess(start.role(), forked, directory.toAbsolutePath());
            waiting.put(start.role(), process);
            process.exit().thenAccept(ended -> ended(process, ended.exitValue()));
            LOG.debug("{}: prestarted in {}", process, directory);
        } catch (IOException failure) {
            plan.lost(start.role());
            LOG.warn("{}: not prestarted, so the next one starts later: {}", start, failure.toString());
        }
    }

    private synchronized void ended(PrestartedProcess process, int status) {
        if (waiting.remove(process.role(), process)) {
            plan.lost(process.role());
            LOG.warn(
                    "prestarted {}: ended with exit status {} before it was needed; the next one starts later",
                    process,
                    status);
            process.forget();
        }
    }

    /**
     * Removes what an earlier process has left in the directory: links to work directories, work directories in which no
     * process runs, and those that a prestarted process was about to replace, with the copies of files in them.
     */
    void sweep() {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(rule.directory())) {
            for (Path entry : entries) {
                if (!isOfOtherParent(entry) && !WorkDirectory.isHeld(entry)) {
                    remove(entry);
                }
            }
        } catch (NoSuchFileException none) {
            LOG.trace("{}: not there", rule.directory(), none);
        } catch (IOException failure) {
            LOG.warn("{}: not cleaned up: {}", rule.directory(), failure.toString());
        }
    }

    private static void remove(Path entry) {
        try {
            if (entry.getFileName().toString().endsWith(PrestartedProcess.REPLACED)) {
                TreeDeletion.of(entry);
            } else {
                PrestartedProcess.remove(entry);
            }
        } catch (IOException failure) { // the others are removed all the same
            LOG.warn("{}: not removed: {}", entry, failure.toString());
        }
    }

    /** Whether a living process other than this one has made {@code entry}: workers may share a directory. */
    private static boolean isOfOtherParent(Path entry) {
        String name = entry.getFileName().toString();
        String pid = name.substring(0, Math.max(0, name.indexOf('-')));
        return pid.matches("\\d{1,18}")
                && ProcessHandle.of(Long.parseLong(pid))
                        .filter(parent -> !parent.equals(ProcessHandle.current()))
                        .isPresent();
    }

    /** Ends all processes that wait. Returns those that may still run. */
    List<PrestartedProcess> close() {
        List<PrestartedProcess> ended;
        synchronized (this) {
            closed = true;
            ended = new ArrayList<>(waiting.values());
            waiting.clear();
        }
        ended.forEach(PrestartedProcess::end);
        return ended;
    }
}
