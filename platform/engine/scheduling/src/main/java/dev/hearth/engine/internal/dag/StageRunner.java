package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.error.Quantity;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Runs stages: first their missing parents, then their own missing partitions, until the output is complete. Retries
 * failed attempts and resubmits lost partitions. Reports ended jobs to {@link JobListener}. Owned by {@link
 * DagScheduler}.
 * <p>Invariants: a waiting stage has a parent that runs, waits, or is retried at {@link #retryNanos}. A failed attempt
 * counts towards {@code consecutiveAttemptsMax} unless the planned removal of an executor, such as its decommissioning,
 * explains it.
 */
final class StageRunner {
    /**
     * Delay before the retry of a stage. One new attempt then handles all fetch failures that follow from the loss of
     * one executor.
     */
    static final Duration RETRY_DELAY = Duration.ofMillis(200);

    private final DagSettings settings;
    private final MapOutputTracker outputs;
    private final DagEffects effects;
    private final StageGraph graph;
    private final JobListener jobs;
    private final Deque<Stage> requested = new ArrayDeque<>();
    private final Set<Stage> retries = new LinkedHashSet<>();
    private OptionalLong retryNanos = OptionalLong.empty();
    private int generation;

    StageRunner(
            DagSettings settings, MapOutputTracker outputs, StageGraph graph, DagEffects effects, JobListener jobs) {
        this.settings = settings;
        this.outputs = outputs;
        this.effects = effects;
        this.graph = graph;
        this.jobs = jobs;
    }

    /** Receives the reports of the {@link StageRunner} that a job has succeeded or failed. */
    interface JobListener {
        void completed(Stage stage, Moment now);

        void failed(Stage stage, HearthException failure, Moment now);
    }

    /** Requests that a stage compute all its missing outputs. The stage starts at the next call of {@link #settle}. */
    void request(Stage stage) {
        requested.add(stage);
    }

    void settle(Moment now) {
        for (Stage stage = requested.poll(); stage != null; stage = requested.poll()) {
            startAncestors(stage, now);
        }
    }

    OptionalLong retryNanos() {
        return retryNanos;
    }

    /** Starts the new attempts of all stages whose retry is due. */
    void tick(Moment now) {
        if (retryNanos.isEmpty() || now.nanos() - retryNanos.getAsLong() < 0) {
            return;
        }
        retryNanos = OptionalLong.empty();
        List<Stage> due = new ArrayList<>(retries);
        retries.clear();
        due.sort(Stage.OLDEST_FIRST);
        List<Stage> needed = due.stream().filter(Stage::isNeeded).toList();
        due.forEach(stage -> stage.move(StageState.IDLE));
        requested.addAll(needed);
    }

    /**
     * Starts the stage {@code wanted} if all its parent stages are complete. Otherwise starts those missing ancestors
     * whose own parents are complete; the other stages wait for them.
     */
    private void startAncestors(Stage wanted, Moment now) {
        Deque<Stage> stack = new ArrayDeque<>();
        stack.push(wanted);
        while (!stack.isEmpty()) {
            Stage stage = stack.pop();
            boolean open = stage.is(StageState.IDLE) || stage.is(StageState.WAITING);
            if (!open || stage.isDone()) {
                continue;
            }
            List<Stage> missing = stage.missingParents();
            if (missing.isEmpty()) {
                start(stage, now);
                continue;
            }
            if (stage.is(StageState.IDLE)) {
                stage.move(StageState.WAITING);
            }
            // pushed in reverse, so that the first parent is on top of the stack
            for (int i = missing.size() - 1; i >= 0; i--) {
                if (missing.get(i).is(StageState.IDLE)) {
                    stack.push(missing.get(i));
                }
            }
        }
    }

    private void start(Stage stage, Moment now) {
        if (stage.attemptsStarted() >= settings.attemptsMax()) {
            jobs.failed(stage, tooManyAttempts(stage), now);
            return;
        }
        if (stage.plan().barrier() && stage.output() instanceof ShuffleStatus map) {
            map.drop(place -> true, Integer.MAX_VALUE); // a barrier stage runs all tasks again, so drops all outputs
        }
        JobSpec job = stage.oldestJob();
        int[] partitions = stage.output().missing();
        TaskSetId id = new TaskSetId(stage.id(), stage.attemptsStarted());
        stage.begin(new StageAttempt(id, partitions, ++generation, now.millis()));
        stage.move(StageState.RUNNING);
        effects.publish(new ApplicationEvent.StageSubmitted(now.millis(), stage.info(id.attempt(), partitions.length)));
        effects.add(new DagEffect.Submit(
                new TaskSetSpec(id, job.id(), stage.plan(), partitions, job.pool(), job.interruptOnCancel())));
    }

    void succeeded(Stage stage, StageAttempt attempt, Succeeded success, Moment now) {
        attempt.metrics().add(success.end().metrics());
        if (attempt.isBroken() || !attempt.finish(success.task().partition())) {
            return;
        }
        if (!stage.plan().barrier()) {
            accept(stage, success);
        } else {
            attempt.hold(success);
            if (attempt.isFinished()) {
                attempt.held().forEach(held -> accept(stage, held));
                attempt.held().clear();
            }
        }
        if (stage.isDone()) {
            complete(stage, now);
        } else if (attempt == stage.current() && attempt.isFinished() && stage.is(StageState.RUNNING)) {
            resubmitLost(stage, attempt, now);
        }
    }

    private void accept(Stage stage, Succeeded success) {
        int partition = success.task().partition();
        if (stage.output() instanceof ShuffleStatus map) {
            String executor = success.task().executor();
            outputs.holderOf(executor).ifPresent(holder -> {
                map.register(partition, holder, success.task().host(), generation);
                if (map.countOnce(partition)) {
                    effects.add(new DagEffect.MergeAccumulators(success.end()));
                }
            });
        } else if (stage.output() instanceof JobResults results) {
            int job = stage.oldestJob().id();
            if (results.accept(partition, index -> effects.add(new DagEffect.Result(job, index, success.end())))) {
                effects.add(new DagEffect.MergeAccumulators(success.end()));
            }
        }
    }

    /**
     * Requests a new attempt for the partitions of a stage whose outputs were lost. Called when all tasks of
     * {@code attempt} have succeeded, but some of their outputs were lost meanwhile.
     */
    private void resubmitLost(Stage stage, StageAttempt attempt, Moment now) {
        attempt.fail();
        int lost = stage.output().missing().length;
        publishCompleted(stage, attempt, lost + " of its outputs were lost with their executors", now);
        stage.move(StageState.IDLE);
        request(stage);
    }

    private void complete(Stage stage, Moment now) {
        stage.clearFailures();
        cancelRetry(stage);
        endAttempts(stage, "", "stage " + stage.id() + " is complete", now);
        if (stage.plan().isResult()) {
            jobs.completed(stage, now);
            return;
        }
        if (!stage.is(StageState.IDLE)) {
            stage.move(StageState.IDLE);
        }
        for (Stage reader : stage.readers()) {
            if (reader.is(StageState.WAITING)) {
                request(reader);
            }
        }
        cancelUnneededParents(stage, now);
    }

    /**
     * Cancels those ancestors of a complete stage that run, wait or are to be retried although no stage needs their
     * outputs any more.
     */
    private void cancelUnneededParents(Stage done, Moment now) {
        Deque<Stage> stack = new ArrayDeque<>();
        stack.push(done);
        while (!stack.isEmpty()) {
            for (Stage parent : stack.pop().parents()) {
                if (!parent.is(StageState.IDLE) && !parent.isNeeded()) {
                    String reason = "nothing reads " + parent + " any more";
                    cancelRetry(parent);
                    endAttempts(parent, reason, reason, now);
                    parent.move(StageState.IDLE);
                    stack.push(parent);
                }
            }
        }
    }

    /**
     * Ends a stage that no job needs any more. {@code failure} is empty if the jobs succeeded; {@code reason} is given
     * to the tasks that are killed.
     */
    void end(Stage stage, String failure, String reason, Moment now) {
        cancelRetry(stage);
        endAttempts(stage, failure, reason, now);
        if (!stage.is(StageState.OVER)) {
            stage.move(StageState.OVER);
        }
    }

    /** Ends all attempts of a stage: cancels their task sets and forbids further output commits. */
    private void endAttempts(Stage stage, String failure, String reason, Moment now) {
        StageAttempt current = stage.current();
        if (current != null && !current.isFailed()) {
            publishCompleted(stage, current, failure, now);
        }
        boolean interrupt = !stage.jobs().isEmpty() && stage.oldestJob().interruptOnCancel();
        for (StageAttempt attempt : stage.attempts()) {
            if (attempt.isBroken()) {
                continue; // a broken barrier attempt has been cancelled already
            }
            if (!attempt.isFinished()) {
                effects.add(new DagEffect.Cancel(attempt.id(), interrupt, reason));
            }
            effects.add(new DagEffect.StageAttemptEnded(attempt.id()));
        }
        stage.end();
    }

    /**
     * Records that the planned removal of an executor lost or moved outputs of the shuffles {@code affected}. If a
     * running stage attempt fails to fetch such an output, the failure does not count against its stage.
     */
    void notePlannedRemoval(List<ShuffleStatus> affected) {
        affected.forEach(outputs -> outputs.notePlannedRemoval(generation));
    }

    /**
     * Handles a fetch failure of the newest attempt of a stage. {@code lost} are the shuffles that lost outputs; {@code
     * planned} says whether the planned removal of an executor, such as its decommissioning, explains the failure.
     */
    void fetchFailed(
            Stage stage, StageAttempt attempt, List<ShuffleStatus> lost, boolean planned, String what, Moment now) {
        outputsLost(lost, now);
        if (attempt.isFailed()) {
            return;
        }
        if (stage.plan().barrier()) {
            discard(stage, attempt, what);
        }
        fail(stage, attempt, planned, what, now);
    }

    /**
     * Handles the failure of a task in an attempt of a barrier stage. Discards the attempt's successes, because all
     * tasks of the stage must run again together.
     */
    void barrierBroken(Stage stage, StageAttempt attempt, String why, Moment now) {
        if (!attempt.isBroken()) {
            discard(stage, attempt, why);
        }
        if (!attempt.isFailed()) {
            fail(stage, attempt, false, why, now);
        }
    }

    private void discard(Stage stage, StageAttempt attempt, String why) {
        attempt.discard();
        effects.add(new DagEffect.Cancel(attempt.id(), stage.oldestJob().interruptOnCancel(), why));
        effects.add(new DagEffect.StageAttemptEnded(attempt.id()));
    }

    private void fail(Stage stage, StageAttempt attempt, boolean planned, String why, Moment now) {
        attempt.fail();
        publishCompleted(stage, attempt, why, now);
        int failures = planned ? 0 : stage.countFailure();
        if (failures >= settings.consecutiveAttemptsMax()) {
            jobs.failed(stage, tooManyFailures(stage, failures, why), now);
        } else {
            retryLater(stage, now);
        }
    }

    /**
     * Handles the loss of map outputs of these shuffles: schedules a retry of each stage that writes one of them, if
     * the stage is idle and still needed.
     */
    void outputsLost(List<ShuffleStatus> affected, Moment now) {
        for (ShuffleStatus lost : affected) {
            Stage stage = graph.ofShuffle(lost.shuffle());
            if (stage != null && stage.is(StageState.IDLE) && stage.isNeeded()) {
                retryLater(stage, now);
            }
        }
    }

    private void retryLater(Stage stage, Moment now) {
        stage.move(StageState.RETRYING);
        retries.add(stage);
        if (retryNanos.isEmpty()) {
            retryNanos = OptionalLong.of(now.nanos() + RETRY_DELAY.toNanos());
        }
    }

    private void cancelRetry(Stage stage) {
        if (retries.remove(stage) && retries.isEmpty()) {
            retryNanos = OptionalLong.empty();
        }
    }

    /** Handles the report that no task of a stage attempt runs any more. If the attempt has failed, removes it. */
    void drained(Stage stage, StageAttempt attempt) {
        if (attempt.isFailed()) {
            stage.drained(attempt);
            if (!attempt.isBroken()) {
                effects.add(new DagEffect.StageAttemptEnded(attempt.id()));
            }
        }
    }

    private void publishCompleted(Stage stage, StageAttempt attempt, String failure, Moment now) {
        effects.publish(new ApplicationEvent.StageCompleted(
                now.millis(),
                stage.info(attempt.id().attempt(), attempt.tasks()),
                attempt.submittedMillis(),
                failure,
                attempt.metrics().total()));
    }

    private HearthException tooManyAttempts(Stage stage) {
        return ErrorCode.STAGE_FAILED.failure(stage + ": was attempted "
                + Quantity.of(stage.attemptsStarted(), "time")
                + " and needs another attempt (expected: at most hearth.stage.maxAttempts="
                + settings.attemptsMax()
                + "); see in the log which executors were lost, and why");
    }

    private HearthException tooManyFailures(Stage stage, int failures, String why) {
        String text = Failures.expecting(
                stage + ": " + Quantity.of(failures, "attempt") + " in a row failed, the last because " + why,
                "success within hearth.stage.maxConsecutiveAttempts=" + settings.consecutiveAttemptsMax());
        return ErrorCode.STAGE_FAILED.failure(text + "; see in the log which executors were lost, and why");
    }
}
