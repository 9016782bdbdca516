package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.StageInfo;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.BarrierBroken;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Drained;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Ended;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.FetchFailed;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.SetFailed;
import dev.hearth.engine.internal.scheduler.SchedulerEffect.Succeeded;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stage scheduler of one application: runs the stages that jobs need and resubmits lost partitions. A state machine:
 * its methods take events and their time, and {@link #drain} returns the effects. No method blocks or reads a clock.
 * Owned by the driver's event loop. The package documentation explains the terms.
 * <p>Invariants: a job ends once; each result is delivered once; accumulator updates of a partition are merged once. A
 * recomputed map output equals the lost one, so no stage is rolled back (ADR 0030).
 */
public final class DagScheduler {
    private final MapOutputTracker outputs;
    private final StageGraph graph;
    private final StageRunner runs;
    private final BarrierSlotChecks slotChecks;
    private final RecentNames cancelledGroups;
    private final DagEffects effects = new DagEffects();
    private final Map<Integer, Job> jobs = new LinkedHashMap<>();

    public DagScheduler(DagSettings settings) {
        outputs = new MapOutputTracker(settings.hostsLoseOutputs());
        graph = new StageGraph(outputs, effects);
        runs = new StageRunner(settings, outputs, graph, effects, new JobCallbacks());
        slotChecks = new BarrierSlotChecks(settings, this::isComplete);
        cancelledGroups = new RecentNames(settings.cancelledGroupsMax());
    }

    /** A running job and its stages, in the order of its plan. */
    private record Job(JobSpec spec, List<Stage> stages) {}

    /**
     * Starts a job, or lets it wait while the executors have too few slots for its barrier stage. Throws if its plan
     * does not list each stage after the stage's parents.
     */
    public void submit(JobSpec job, Moment now) {
        if (jobs.containsKey(job.id()) || slotChecks.isWaiting(job.id())) {
            throw new IllegalStateException("job " + job.id() + ": submitted twice (expected: once)");
        }
        graph.check(job);
        Optional<HearthException> refusal = refusal(job);
        if (refusal.isPresent()) {
            effects.add(new DagEffect.Failed(job.id(), refusal.get()));
        } else if (job.plan().partitions().length == 0) {
            publishStarted(job, List.of(), now);
            effects.publish(new ApplicationEvent.JobEnded(now.millis(), job.id(), ""));
            effects.add(new DagEffect.Completed(job.id()));
        } else if (slotChecks.admits(job, now)) {
            begin(job, now);
            runs.settle(now);
        }
    }

    private Optional<HearthException> refusal(JobSpec job) {
        if (job.group().filter(cancelledGroups::contains).isPresent()) {
            return Optional.of(cancellation(job, "its group '" + job.group().get() + "' was cancelled before"));
        }
        StagePlan result = job.plan().result();
        if (!result.barrier()) {
            return Optional.empty();
        }
        long wanted = Arrays.stream(job.plan().partitions()).distinct().count();
        if (wanted > 0 && wanted < result.partitions()) {
            return Optional.of(ErrorCode.BAD_ARGUMENT.failure("job " + job.id() + ": wants " + wanted + " of the "
                    + result.partitions() + " partitions of the barrier stage '" + result.name()
                    + "' (expected: all, as they run together); collect all of them"));
        }
        return Optional.empty();
    }

    private void begin(JobSpec spec, Moment now) {
        JobResults results = new JobResults(spec.plan().partitions());
        List<Stage> stages = graph.add(spec, results);
        jobs.put(spec.id(), new Job(spec, stages));
        List<StageInfo> infos = new ArrayList<>();
        for (Stage stage : stages) {
            int tasks = stage.plan().isResult()
                    ? spec.plan().partitions().length
                    : stage.plan().partitions();
            infos.add(stage.info(stage.attemptsStarted(), tasks));
        }
        publishStarted(spec, infos, now);
        runs.request(stages.get(stages.size() - 1));
    }

    private void publishStarted(JobSpec job, List<StageInfo> stages, Moment now) {
        effects.publish(new ApplicationEvent.JobStarted(
                now.millis(),
                job.id(),
                job.name(),
                job.description(),
                job.group().orElse(""),
                job.tags(),
                stages,
                job.properties()));
    }

    /** Cancels a job. Each method of this class that cancels or fails jobs returns the number of jobs that it ended. */
    public int cancelJob(int job, String reason, Moment now) {
        return cancel(spec -> spec.id() == job, spec -> cancellation(spec, reason), now);
    }

    /**
     * Fails a job for a reason other than the failure of a stage, for example because the driver cannot fetch a result.
     */
    public int failJob(int job, HearthException failure, Moment now) {
        return cancel(spec -> spec.id() == job, spec -> failure, now);
    }

    /**
     * Cancels all jobs of a group. If {@code futureJobs} is set, also cancels every job that is submitted to the group
     * later.
     */
    public int cancelGroup(String group, String reason, boolean futureJobs, Moment now) {
        if (futureJobs) {
            cancelledGroups.add(group);
        }
        return cancel(
                spec -> spec.group().filter(group::equals).isPresent(),
                spec -> cancellation(spec, "group '" + group + "' was cancelled: " + reason),
                now);
    }

    public int cancelTag(String tag, String reason, Moment now) {
        return cancel(
                spec -> spec.tags().contains(tag),
                spec -> cancellation(spec, "tag '" + tag + "' was cancelled: " + reason),
                now);
    }

    /** Cancels all running jobs that need the stage with the id {@code stage}. */
    public int cancelStage(int stage, String reason, Moment now) {
        Stage found = graph.find(stage);
        List<Integer> needing =
                found == null ? List.of() : List.copyOf(found.jobs().keySet());
        return cancel(
                spec -> needing.contains(spec.id()),
                spec -> cancellation(spec, "stage " + stage + " was cancelled: " + reason),
                now);
    }

    public int cancelAll(HearthException why, Moment now) {
        return cancel(spec -> true, spec -> why, now);
    }

    private int cancel(Predicate<JobSpec> which, Function<JobSpec, HearthException> why, Moment now) {
        List<Job> begun =
                jobs.values().stream().filter(job -> which.test(job.spec())).toList();
        begun.forEach(job -> end(job, Optional.of(why.apply(job.spec())), now));
        List<JobSpec> waiting =
                slotChecks.take(slotChecks.jobs().stream().filter(which).toList());
        waiting.forEach(spec -> effects.add(new DagEffect.Failed(spec.id(), why.apply(spec))));
        sweep();
        runs.settle(now);
        return begun.size() + waiting.size();
    }

    private static HearthException cancellation(JobSpec job, String reason) {
        return ErrorCode.JOB_CANCELLED.failure(
                "job " + job.id() + (job.name().isEmpty() ? "" : " (" + job.name() + ")") + ": cancelled: " + reason);
    }

    public void succeeded(Succeeded success, Moment now) {
        Stage stage = graph.find(success.set().stage());
        StageAttempt attempt =
                stage == null ? null : stage.attempt(success.set().attempt());
        if (stage != null && attempt != null) {
            runs.succeeded(stage, attempt, success, now);
            runs.settle(now);
        }
    }

    /**
     * Handles the end of a task attempt whose result does not count, for example a failed attempt. Only adds its
     * metrics to those of the stage attempt.
     */
    public void ended(Ended ended) {
        Stage stage = graph.find(ended.set().stage());
        StageAttempt attempt = stage == null ? null : stage.attempt(ended.set().attempt());
        if (attempt != null) {
            attempt.metrics().add(ended.end().metrics());
        }
    }

    /**
     * Handles a fetch failure: unregisters the lost map outputs and retries the stage of the failed task. Ignores
     * failures of older attempts of that stage, because the missing outputs may have been recomputed since. Returns a
     * description of the loss; empty if no output was unregistered.
     */
    public Optional<String> fetchFailed(FetchFailed failed, Moment now) {
        Stage stage = graph.find(failed.set().stage());
        StageAttempt attempt = stage == null ? null : newest(stage, failed.set());
        if (stage == null || attempt == null) {
            return Optional.empty();
        }
        attempt.metrics().add(failed.end().metrics());
        FetchFailure fetch = failed.end()
                .fetch()
                .orElseGet(() -> new FetchFailure(
                        StagePlan.RESULT,
                        -1,
                        Optional.empty(),
                        "",
                        failed.end().failure().text()));
        List<ShuffleStatus> lost = outputs.fetchFailed(fetch, attempt.generation());
        runs.fetchFailed(stage, attempt, lost, isPlannedRemoval(fetch, lost, attempt), describe(fetch), now);
        runs.settle(now);
        return lost.isEmpty() ? Optional.empty() : Optional.of(describe(fetch));
    }

    /**
     * Whether a planned removal of an executor, such as decommissioning, explains the fetch failure. If so, the stage
     * attempt does not count towards {@code consecutiveAttemptsMax}. The removal must have lost or moved outputs of
     * this shuffle since the attempt began. In addition, the executor that had the output must be decommissioning, or
     * this failure must have unregistered no output ({@code lost}, the affected shuffles, is empty). Each planned
     * removal explains one attempt per stage.
     */
    private boolean isPlannedRemoval(FetchFailure fetch, List<ShuffleStatus> lost, StageAttempt attempt) {
        boolean decommissioning =
                fetch.executor().filter(outputs::isDecommissioning).isPresent();
        if (decommissioning) {
            runs.notePlannedRemoval(lost); // failures of other stages that read the same outputs are not counted either
        }
        ShuffleStatus read = outputs.find(fetch.shuffle());
        return read != null && (decommissioning || lost.isEmpty()) && read.hasPlannedRemovalSince(attempt.generation());
    }

    private static String describe(FetchFailure fetch) {
        if (fetch.shuffle() == StagePlan.RESULT) { // the task could not fetch a cached block, not a map output
            return fetch.reason();
        }
        return (fetch.map() < 0 ? "outputs" : "output " + fetch.map()) + " of shuffle " + fetch.shuffle()
                + " could not be fetched"
                + fetch.executor().map(id -> " from executor " + id).orElse("")
                + (fetch.host().isEmpty() ? "" : " on " + fetch.host()) + ": " + fetch.reason();
    }

    private static @Nullable StageAttempt newest(Stage stage, TaskSetId set) {
        StageAttempt current = stage.current();
        return current != null && current.id().equals(set) ? current : null;
    }

    public void setFailed(SetFailed failed, Moment now) {
        Stage stage = graph.find(failed.set().stage());
        StageAttempt attempt = stage == null ? null : newest(stage, failed.set());
        if (stage != null && attempt != null && !attempt.isFailed()) {
            endJobs(stage, failed.failure(), now);
            runs.settle(now);
        }
    }

    public void barrierBroken(BarrierBroken broken, Moment now) {
        Stage stage = graph.find(broken.set().stage());
        StageAttempt attempt = stage == null ? null : newest(stage, broken.set());
        if (stage != null && attempt != null) {
            runs.barrierBroken(stage, attempt, broken.reason(), now);
            runs.settle(now);
        }
    }

    public void drained(Drained drained) {
        Stage stage = graph.find(drained.set().stage());
        StageAttempt attempt =
                stage == null ? null : stage.attempt(drained.set().attempt());
        if (stage != null && attempt != null) {
            runs.drained(stage, attempt);
        }
    }

    /**
     * Records that an executor is being decommissioned. From now on, a failure to fetch map outputs from this executor
     * does not count against the stages that read them.
     */
    public void executorDecommissioned(ExecutorId executor) {
        outputs.decommission(executor);
    }

    /**
     * Records that an executor is no longer being decommissioned. Failures to fetch map outputs from it count again
     * against the stages that read them.
     */
    public void executorRecommissioned(ExecutorId executor) {
        outputs.recommission(executor);
    }

    /**
     * Handles the loss of an executor: unregisters the map outputs that {@code what} selects: none, those of the
     * executor, or those of its host. Must be called after the successes that the executor reported in time, and before
     * any later report about the executor. {@code charged} is false for the planned removal of an executor: then the
     * resulting fetch failures do not count against the reading stages.
     */
    public void executorLost(ExecutorId executor, String host, OutputLoss what, boolean charged, Moment now) {
        List<ShuffleStatus> lost = outputs.executorLost(executor, host, what);
        if (!charged) {
            runs.notePlannedRemoval(lost);
        }
        runs.outputsLost(lost, now);
    }

    /**
     * Records that the shuffle service {@code service} takes over all map outputs of {@code executor}, which has just
     * registered. They are lost with the service and not with the executor.
     */
    public void servedBy(ExecutorId executor, ExecutorId service) {
        outputs.servedBy(executor, service);
    }

    /** The map outputs that are stored on {@code executor}, of all shuffles. */
    public List<MapOutputId> outputsOn(ExecutorId executor) {
        return outputs.outputsOn(executor);
    }

    /**
     * Registers that a map output has moved from one executor to another, unless the output was lost or recomputed
     * meanwhile.
     */
    public void outputMoved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
        runs.notePlannedRemoval(outputs.moved(output, from, to, host));
    }

    /** Sets the number of slots of the default profile, as {@link #slots(TaskProfile, int, Moment)}. */
    public void slots(int concurrentTasks, Moment now) {
        slots(TaskProfile.DEFAULT, concurrentTasks, now);
    }

    /**
     * Sets the number of slots of {@code profile}, that is, of tasks that all its executors together can run at the same
     * time. Starts the waiting barrier jobs for which there are now enough slots.
     */
    public void slots(TaskProfile profile, int concurrentTasks, Moment now) {
        slotChecks.slots(profile.id(), concurrentTasks);
        slotChecks.admitted().forEach(job -> begin(job, now));
        runs.settle(now);
    }

    /**
     * Starts retries that are due, and repeats slot checks of waiting barrier jobs that are due. Must be called at
     * {@link #nextWakeNanos} or earlier.
     */
    public void tick(Moment now) {
        runs.tick(now);
        for (JobSpec job : slotChecks.expired(now)) {
            effects.add(new DagEffect.Failed(job.id(), slotChecks.failure(job)));
        }
        sweep();
        runs.settle(now);
    }

    public OptionalLong nextWakeNanos() {
        OptionalLong retry = runs.retryNanos();
        OptionalLong check = slotChecks.nextNanos();
        if (retry.isEmpty() || check.isEmpty()) {
            return retry.isEmpty() ? check : retry;
        }
        return retry.getAsLong() - check.getAsLong() < 0 ? retry : check;
    }

    /**
     * Drops the map outputs of a shuffle as soon as no job uses it. Called when no dataset refers to the shuffle any
     * more.
     */
    public void forgetShuffle(int shuffle) {
        outputs.forget(shuffle);
        sweep();
    }

    private void sweep() {
        outputs.sweep(this::isUsed);
    }

    /** Live view of the map output locations of a shuffle. Returns an empty optional if the shuffle is unknown. */
    public Optional<MapOutputLocations> mapOutputLocations(int shuffle) {
        return Optional.ofNullable(outputs.find(shuffle)).map(ShuffleStatus::places);
    }

    /**
     * Whether jobs read, or may later read, the map outputs on an executor. Dynamic allocation keeps such executors.
     */
    public ShuffleUse shuffles(ExecutorId executor) {
        List<ShuffleStatus> there = outputs.on(executor);
        if (there.stream().map(ShuffleStatus::shuffle).anyMatch(this::isUsed)) {
            return ShuffleUse.NEEDED;
        }
        return there.isEmpty() ? ShuffleUse.NONE : ShuffleUse.READABLE;
    }

    private boolean isUsed(int shuffle) {
        return graph.ofShuffle(shuffle) != null || slotChecks.needs(shuffle);
    }

    /**
     * The number of slots on executors of {@code profile} that the largest waiting job needs in total, or 0 if none
     * waits. A job waits while the executors have fewer slots than its barrier stage has tasks.
     */
    public int slotsWanted(int profile) {
        return slotChecks.slotsWanted(profile);
    }

    /** Number of jobs that have not ended. */
    public int activeJobs() {
        return jobs.size() + slotChecks.jobs().size();
    }

    /** Removes and returns the effects of all events since the last call of this method, in order. */
    public List<DagEffect> drain() {
        return effects.drain();
    }

    private boolean isComplete(int shuffle) {
        ShuffleStatus found = outputs.find(shuffle);
        return found != null && found.isComplete();
    }

    private void endJobs(Stage stage, HearthException failure, Moment now) {
        for (int id : List.copyOf(stage.jobs().keySet())) {
            end(jobs.get(id), Optional.of(failure), now);
        }
    }

    private void end(Job job, Optional<HearthException> failure, Moment now) {
        int id = job.spec().id();
        String reason = failure.map(why -> String.valueOf(why.getMessage())).orElse("");
        jobs.remove(id);
        for (Stage stage : job.stages()) {
            if (stage.jobs().size() == 1) {
                runs.end(stage, reason, failure.isPresent() ? reason : "job " + id + " has ended", now);
                graph.remove(stage);
            }
            stage.jobs().remove(id);
        }
        sweep();
        effects.publish(new ApplicationEvent.JobEnded(now.millis(), id, reason));
        effects.add(failure.<DagEffect>map(why -> new DagEffect.Failed(id, why))
                .orElseGet(() -> new DagEffect.Completed(id)));
    }

    private final class JobCallbacks implements StageRunner.JobListener {
        @Override
        public void completed(Stage stage, Moment now) {
            end(jobs.get(stage.oldestJob().id()), Optional.empty(), now);
        }

        @Override
        public void failed(Stage stage, HearthException failure, Moment now) {
            endJobs(stage, failure, now);
        }
    }
}
