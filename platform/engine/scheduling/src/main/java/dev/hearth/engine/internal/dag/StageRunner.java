package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Runs stages: those they read first, then their missing partitions, again what was lost, until all they make is there.
 * Owned by {@link DagScheduler}; what it finds about jobs it tells that by {@link JobListener}. Walks with a stack or a queue.
 * <p>Invariants: a stage that waits has a parent that runs, waits, or is tried again at {@link #retryNanos}; each failed attempt counts
 * towards the end of its jobs but for those that are excused, by an output that went or moved by nobody's fault since it began.
 */
final class StageRunner {
    /** Failures of one event come in a burst: those within this time are answered by one new attempt. */
    static final Duration RETRY_DELAY = Duration.ofMillis(200);

    private final DagSettings settings;
    private final MapOutputTracker outputs;
    private final DagEffects effects;
    private final StageGraph graph;
    private final JobListener jobs;
    private final Deque<Stage> asked = new ArrayDeque<>();
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

    /** Hears what becomes of the stages that jobs wait for. */
    interface JobListener {
        void completed(Stage stage, Moment now);

        void failed(Stage stage, HearthException failure, Moment now);
    }

    /** Wants all that a stage makes; {@link #settle} begins. */
    void want(Stage stage) {
        asked.add(stage);
    }

    void settle(Moment now) {
        for (Stage stage = asked.poll(); stage != null; stage = asked.poll()) {
            walk(stage, now);
        }
    }

    OptionalLong retryNanos() {
        return retryNanos;
    }

    /** Tries again what failed or was lost, once the time is there. */
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
        asked.addAll(needed);
    }

    /** Goes up to the stages that have all they read, and starts these; the others wait. */
    private void walk(Stage wanted, Moment now) {
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
            for (int i = missing.size() - 1; i >= 0; i--) { // the first is on top then
                if (missing.get(i).is(StageState.IDLE)) {
                    stack.push(missing.get(i));
                }
            }
        }
    }

    private void start(Stage stage, Moment now) {
        if (stage.attemptsMade() >= settings.attemptsMax()) {
            jobs.failed(stage, tooManyAttempts(stage), now);
            return;
        }
        if (stage.plan().barrier() && stage.output() instanceof ShuffleStatus map) {
            map.drop(place -> true, Integer.MAX_VALUE); // a barrier stage runs whole
        }
        JobSpec job = stage.oldestJob();
        int[] partitions = stage.output().missing();
        TaskSetId id = new TaskSetId(stage.id(), stage.attemptsMade());
        stage.begin(new StageAttempt(id, partitions, ++generation, now.millis()));
        stage.move(StageState.RUNNING);
        effects.tell(new ApplicationEvent.StageSubmitted(now.millis(), stage.info(id.attempt(), partitions.length)));
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
            runRestAgain(stage, attempt, now);
        }
    }

    private void accept(Stage stage, Succeeded success) {
        int partition = success.task().partition();
        if (stage.output() instanceof ShuffleStatus map) {
            String executor = success.task().executor();
            if (!outputs.isLost(executor)) {
                map.register(partition, executor, success.task().host(), generation);
                if (map.count(partition)) {
                    effects.add(new DagEffect.MergeAccumulators(success.end()));
                }
            }
        } else if (stage.output() instanceof JobResults results) {
            int job = stage.oldestJob().id();
            if (results.accept(partition, index -> effects.add(new DagEffect.Result(job, index, success.end())))) {
                effects.add(new DagEffect.MergeAccumulators(success.end()));
            }
        }
    }

    /** All tasks of an attempt succeeded, yet outputs went with executors meanwhile. */
    private void runRestAgain(Stage stage, StageAttempt attempt, Moment now) {
        attempt.fail();
        int lost = stage.output().missing().length;
        tellCompleted(stage, attempt, lost + " of its outputs were lost with their executors", now);
        stage.move(StageState.IDLE);
        want(stage);
    }

    private void complete(Stage stage, Moment now) {
        stage.clearFailures();
        dropRetry(stage);
        close(stage, "", "stage " + stage.id() + " has all it makes", now);
        if (stage.plan().isResult()) {
            jobs.completed(stage, now);
            return;
        }
        if (!stage.is(StageState.IDLE)) {
            stage.move(StageState.IDLE);
        }
        for (Stage reader : stage.readers()) {
            if (reader.is(StageState.WAITING)) {
                want(reader);
            }
        }
        releaseParents(stage, now);
    }

    /** Stops the stages before one that has all it makes, as far as nobody else waits for them. */
    private void releaseParents(Stage done, Moment now) {
        Deque<Stage> stack = new ArrayDeque<>();
        stack.push(done);
        while (!stack.isEmpty()) {
            for (Stage parent : stack.pop().parents()) {
                if (!parent.is(StageState.IDLE) && !parent.isNeeded()) {
                    String reason = "nothing reads " + parent + " any more";
                    dropRetry(parent);
                    close(parent, reason, reason, now);
                    parent.move(StageState.IDLE);
                    stack.push(parent);
                }
            }
        }
    }

    /** No job needs the stage any more; {@code failure} is empty when it made all they wanted. */
    void retire(Stage stage, String failure, String reason, Moment now) {
        dropRetry(stage);
        close(stage, failure, reason, now);
        if (!stage.is(StageState.OVER)) {
            stage.move(StageState.OVER);
        }
    }

    /** Ends all attempts of a stage: what still runs is told to end, and nobody may publish under them any more. */
    private void close(Stage stage, String failure, String reason, Moment now) {
        StageAttempt current = stage.current();
        if (current != null && !current.isFailed()) {
            tellCompleted(stage, current, failure, now);
        }
        boolean interrupt = !stage.jobs().isEmpty() && stage.oldestJob().interruptOnCancel();
        for (StageAttempt attempt : stage.attempts()) {
            if (attempt.isBroken()) {
                continue; // all was said when it broke
            }
            if (!attempt.isFinished()) {
                effects.add(new DagEffect.Cancel(attempt.id(), interrupt, reason));
            }
            effects.add(new DagEffect.StageAttemptEnded(attempt.id()));
        }
        stage.end();
    }

    /** Outputs of these shuffles went or moved, by nobody's fault: attempts under way are not to blame when they do not find them. */
    void excuse(List<ShuffleStatus> affected) {
        affected.forEach(outputs -> outputs.excuse(generation));
    }

    /** A task of an attempt could not fetch what it reads; only the newest attempt tells anything new. */
    void fetchFailed(
            Stage stage, StageAttempt attempt, List<ShuffleStatus> lost, boolean excused, String what, Moment now) {
        lost(lost, now);
        if (attempt.isFailed()) {
            return;
        }
        if (stage.plan().barrier()) {
            discard(stage, attempt, what);
        }
        fail(stage, attempt, excused, what, now);
    }

    /** All tasks of a barrier attempt must run again. */
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

    private void fail(Stage stage, StageAttempt attempt, boolean excused, String why, Moment now) {
        attempt.fail();
        tellCompleted(stage, attempt, why, now);
        int failures = excused ? 0 : stage.failAgain();
        if (failures >= settings.consecutiveAttemptsMax()) {
            jobs.failed(stage, tooManyFailures(stage, failures, why), now);
        } else {
            retryLater(stage, now);
        }
    }

    /** Makes again, in a moment, what stages that run or wait are to read and is there no more. */
    void lost(List<ShuffleStatus> affected, Moment now) {
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

    private void dropRetry(Stage stage) {
        if (retries.remove(stage) && retries.isEmpty()) {
            retryNanos = OptionalLong.empty();
        }
    }

    /** None of the attempt's tasks runs any more. */
    void drained(Stage stage, StageAttempt attempt) {
        if (attempt.isFailed()) {
            stage.drained(attempt);
            if (!attempt.isBroken()) {
                effects.add(new DagEffect.StageAttemptEnded(attempt.id()));
            }
        }
    }

    private void tellCompleted(Stage stage, StageAttempt attempt, String failure, Moment now) {
        effects.tell(new ApplicationEvent.StageCompleted(
                now.millis(),
                stage.info(attempt.id().attempt(), attempt.tasks()),
                attempt.submittedMillis(),
                failure,
                attempt.metrics().total()));
    }

    private HearthException tooManyAttempts(Stage stage) {
        return ErrorCode.STAGE_FAILED.failure(stage + ": was attempted " + stage.attemptsMade()
                + " times and has to be again (expected: at most hearth.stage.maxAttempts=" + settings.attemptsMax()
                + " attempts); see in the log which executors were lost, and why");
    }

    private HearthException tooManyFailures(Stage stage, int failures, String why) {
        return ErrorCode.STAGE_FAILED.failure(stage + ": " + failures + " attempts in a row failed, the last because "
                + why + " (expected: success within hearth.stage.maxConsecutiveAttempts="
                + settings.consecutiveAttemptsMax() + "); see in the log which executors were lost, and why");
    }
}
