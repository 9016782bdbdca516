package dev.hearth.engine.internal.dag;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.StageInfo;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.plan.StagePlan;
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
 * Which stages run for which jobs. A state machine: events come in by its methods with their time, {@link #drain} hands out
 * what is to be done; nothing blocks, nothing is sent, no clock is read. Owned by the driver's loop.
 * <p>Invariants: a job ends once; each of its results comes once, as does what a partition counts. Map outputs that were
 * lost are made again as they were, for the order of elements depends on what is read alone (ADR 0030): no stage is rolled back.
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
        runs = new StageRunner(settings, outputs, graph, effects, new Ends());
        slotChecks = new BarrierSlotChecks(settings, this::isMade);
        cancelledGroups = new RecentNames(settings.cancelledGroupsMax());
    }

    /** A job that has begun and not ended; its stages in the order of its plan. */
    private record Job(JobSpec spec, List<Stage> stages) {}

    /** Begins a job. Its plan must name stages after those they read; it is refused with an exception when it does not. */
    public void submit(JobSpec job, Moment now) {
        if (jobs.containsKey(job.id()) || slotChecks.isWaiting(job.id())) {
            throw new IllegalStateException("job " + job.id() + ": submitted twice (expected: once)");
        }
        graph.check(job);
        Optional<HearthException> refusal = refusal(job);
        if (refusal.isPresent()) {
            effects.add(new DagEffect.Failed(job.id(), refusal.get()));
        } else if (job.plan().partitions().length == 0) {
            tellStarted(job, List.of(), now);
            effects.tell(new ApplicationEvent.JobEnded(now.millis(), job.id(), ""));
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
            infos.add(stage.info(stage.attemptsMade(), tasks));
        }
        tellStarted(spec, infos, now);
        runs.want(stages.get(stages.size() - 1));
    }

    private void tellStarted(JobSpec job, List<StageInfo> stages, Moment now) {
        effects.tell(new ApplicationEvent.JobStarted(
                now.millis(),
                job.id(),
                job.name(),
                job.description(),
                job.group().orElse(""),
                job.tags(),
                stages,
                job.properties()));
    }

    /** Ends a job; these and the following return how many jobs that were. */
    public int cancelJob(int job, String reason, Moment now) {
        return cancel(spec -> spec.id() == job, spec -> cancellation(spec, reason), now);
    }

    /** Ends a job for a reason found elsewhere, as when a result of it cannot be read. */
    public int failJob(int job, HearthException failure, Moment now) {
        return cancel(spec -> spec.id() == job, spec -> failure, now);
    }

    /** Ends all jobs of a group; with {@code futureJobs} those that will be submitted in it as well. */
    public int cancelGroup(String group, String reason, boolean futureJobs, Moment now) {
        if (futureJobs) {
            cancelledGroups.add(group);
        }
        return cancel(
                spec -> spec.group().filter(group::equals).isPresent(),
                spec -> cancellation(spec, "group '" + group + "' was: " + reason),
                now);
    }

    public int cancelTag(String tag, String reason, Moment now) {
        return cancel(
                spec -> spec.tags().contains(tag), spec -> cancellation(spec, "tag '" + tag + "' was: " + reason), now);
    }

    /** Ends all jobs that need a stage. */
    public int cancelStage(int stage, String reason, Moment now) {
        Stage found = graph.find(stage);
        List<Integer> needing =
                found == null ? List.of() : List.copyOf(found.jobs().keySet());
        return cancel(
                spec -> needing.contains(spec.id()),
                spec -> cancellation(spec, "stage " + stage + " was: " + reason),
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

    /** An attempt that counts for nothing: all that is of interest is what it took. */
    public void ended(Ended ended) {
        Stage stage = graph.find(ended.set().stage());
        StageAttempt attempt = stage == null ? null : stage.attempt(ended.set().attempt());
        if (attempt != null) {
            attempt.metrics().add(ended.end().metrics());
        }
    }

    /**
     * Says what was lost, if anything new. Older attempts than a stage's newest tell nothing that is not known: outputs were made
     * again since they began.
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
        runs.fetchFailed(stage, attempt, lost, excuses(fetch, lost, attempt), words(fetch), now);
        runs.settle(now);
        return lost.isEmpty() ? Optional.empty() : Optional.of(words(fetch));
    }

    /**
     * Whether the attempt failed for what was known to go by nobody's fault: where it looked, an output was lost or moved that way since
     * it began, and nothing else is missing; or who had it is on its way out. Each excuse takes an event of its own.
     */
    private boolean excuses(FetchFailure fetch, List<ShuffleStatus> lost, StageAttempt attempt) {
        boolean leaves = fetch.executor().filter(outputs::isLeaving).isPresent();
        if (leaves) {
            runs.excuse(lost); // to others that read the same
        }
        ShuffleStatus read = outputs.find(fetch.shuffle());
        return read != null && (leaves || lost.isEmpty()) && read.isExcusedSince(attempt.generation());
    }

    private static String words(FetchFailure fetch) {
        if (fetch.shuffle() == StagePlan.RESULT) { // something that was kept
            return fetch.reason();
        }
        return (fetch.map() < 0 ? "outputs" : "output " + fetch.map()) + " of shuffle " + fetch.shuffle()
                + " could not be read"
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

    /** An executor is on its way out: that what it has cannot be read is nobody's fault any more. */
    public void executorLeaves(ExecutorId executor) {
        outputs.leaves(executor);
    }

    /**
     * An executor is gone; to be told before what it still had to say, and after what it said in time. {@code charged} says whether
     * that counts as a failure for those who needed it.
     */
    public void executorLost(ExecutorId executor, String host, OutputLoss what, boolean charged, Moment now) {
        List<ShuffleStatus> lost = outputs.executorLost(executor, host, what);
        if (!charged) {
            runs.excuse(lost);
        }
        runs.lost(lost, now);
    }

    /** The outputs of map tasks that lie on an executor. */
    public List<MapOutputId> outputsOn(ExecutorId executor) {
        return outputs.outputsOn(executor);
    }

    /** An output lies on another executor from now on, unless it was lost or made again meanwhile. */
    public void outputMoved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
        runs.excuse(outputs.moved(output, from, to, host));
    }

    /** How many tasks can run at the same time now. */
    public void slots(int concurrentTasks, Moment now) {
        slotChecks.slots(concurrentTasks);
        slotChecks.admitted().forEach(job -> begin(job, now));
        runs.settle(now);
    }

    /** Does what is due; to be called at {@link #nextWakeNanos} at the latest. */
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

    /** No dataset refers to the shuffle any more: its outputs need not be known, once no job uses them. */
    public void forgetShuffle(int shuffle) {
        outputs.forget(shuffle);
        sweep();
    }

    private void sweep() {
        outputs.sweep(this::isUsed);
    }

    /** Where the outputs of a shuffle lie, now and later; empty when nothing is known of it. */
    public Optional<MapOutputLocations> mapPlaces(int shuffle) {
        return Optional.ofNullable(outputs.find(shuffle)).map(ShuffleStatus::places);
    }

    /** What the outputs on an executor are still good for. */
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

    /** The slots that the widest stage wants at the same time that keeps a job from beginning; 0 when none does. */
    public int slotsWanted() {
        return slotChecks.slotsWanted();
    }

    /** Jobs that have not ended. */
    public int activeJobs() {
        return jobs.size() + slotChecks.jobs().size();
    }

    /** What is to be done since the last call, in order. */
    public List<DagEffect> drain() {
        return effects.drain();
    }

    private boolean isMade(int shuffle) {
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
        String words = failure.map(why -> String.valueOf(why.getMessage())).orElse("");
        jobs.remove(id);
        for (Stage stage : job.stages()) {
            if (stage.jobs().size() == 1) {
                runs.retire(stage, words, failure.isPresent() ? words : "job " + id + " has ended", now);
                graph.remove(stage);
            }
            stage.jobs().remove(id);
        }
        sweep();
        effects.tell(new ApplicationEvent.JobEnded(now.millis(), id, words));
        effects.add(failure.<DagEffect>map(why -> new DagEffect.Failed(id, why))
                .orElseGet(() -> new DagEffect.Completed(id)));
    }

    private final class Ends implements StageRunner.JobListener {
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
