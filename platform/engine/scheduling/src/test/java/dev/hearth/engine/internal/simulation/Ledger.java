package dev.hearth.engine.internal.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.dag.DagEffect;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;
import dev.hearth.spi.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Records the effects of both schedulers and fails when one breaks a rule. Independent of their implementation. */
final class Ledger {
    private final ModelJobs model;
    private final int taskFailuresMax;
    private final int stageFailuresMax;
    private final Map<Long, Attempt> attempts = new LinkedHashMap<>();
    private final Map<TaskSetId, SetPage> sets = new LinkedHashMap<>();
    private final Map<Integer, JobPage> jobs = new LinkedHashMap<>();
    private final Set<String> counted = new LinkedHashSet<>();
    private final Map<String, Long> published = new LinkedHashMap<>();
    private final Map<Integer, Integer> failedAttempts = new LinkedHashMap<>(); // in a row, by stage
    private final Set<Integer> cancelledJobs = new LinkedHashSet<>();
    private final Set<String> openStages = new LinkedHashSet<>();
    private final Map<String, Integer> seen = new TreeMap<>();

    Ledger(ModelJobs model, int taskFailuresMax, int stageFailuresMax) {
        this.model = model;
        this.taskFailuresMax = taskFailuresMax;
        this.stageFailuresMax = stageFailuresMax;
    }

    private record Attempt(SetPage set, int partition, String executor) {}

    private static final class SetPage {
        private final TaskSetSpec spec;
        private final Set<Long> held = new LinkedHashSet<>();
        private final Set<Integer> succeeded = new LinkedHashSet<>();
        private final Map<Integer, Integer> failures = new LinkedHashMap<>();
        private boolean cancelled;
        private boolean closed; // failed or broken: it launches no more tasks
        private boolean over;
        private boolean drained;

        SetPage(TaskSetSpec spec) {
            this.spec = spec;
        }

        /** Identity of a partition, independent of attempt and job. */
        String key(int partition) {
            StagePlan plan = spec.plan();
            return (plan.isResult() ? "result of stage " + spec.id().stage() : "shuffle " + plan.shuffle())
                    + " partition " + partition;
        }
    }

    private static final class JobPage {
        private final JobSpec spec;
        private final Map<Integer, TaskEnd> results = new LinkedHashMap<>();
        private boolean ended;

        JobPage(JobSpec spec) {
            this.spec = spec;
        }
    }

    void submitted(JobSpec job) {
        jobs.put(job.id(), new JobPage(job));
    }

    void cancelling(Set<Integer> ids) {
        cancelledJobs.addAll(ids);
    }

    boolean isActive(int job) {
        return !page(job).ended;
    }

    boolean allJobsEnded() {
        return jobs.values().stream().allMatch(job -> job.ended);
    }

    /** Number of events by kind: ends of jobs, sets and attempts. */
    Map<String, Integer> seen() {
        return seen;
    }

    private void see(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    JobSpec job(int id) {
        return page(id).spec;
    }

    private JobPage page(int job) {
        JobPage page = jobs.get(job);
        assertNotNull(page, "job " + job + " is known");
        return page;
    }

    private SetPage page(TaskSetId set) {
        SetPage page = sets.get(set);
        assertNotNull(page, "set " + set + " is known");
        return page;
    }

    void onSubmit(DagEffect.Submit effect) {
        TaskSetSpec spec = effect.tasks();
        see(spec.id().attempt() == 0 ? "stage" : "stage AGAIN");
        assertEquals(null, sets.put(spec.id(), new SetPage(spec)), "a set is submitted once");
        assertTrue(isActive(spec.job()), "a set is run for an active job");
        assertTrue(spec.partitions().length > 0, "a set has tasks");
        assertTrue(
                !spec.plan().barrier()
                        || spec.partitions().length == spec.plan().partitions(),
                "a barrier set is whole");
    }

    void onCancel(DagEffect.Cancel effect) {
        page(effect.set()).cancelled = true;
    }

    void onStageAttemptEnded(DagEffect.StageAttemptEnded effect) {
        SetPage set = page(effect.set());
        assertTrue(!set.over, "an attempt at a stage is over once");
        set.over = true;
    }

    void onLaunch(SchedulerEffect.Launch effect, boolean speculation) {
        LaunchBatch batch = effect.batch();
        SetPage set = page(new TaskSetId(batch.stage(), batch.stageAttempt()));
        assertTrue(!set.cancelled && !set.drained && !set.closed, "set " + set.spec.id() + " runs what needs no more");
        for (int i = 0; i < batch.size(); i++) {
            int partition = batch.partition(i);
            assertTrue(
                    IntStream.of(set.spec.partitions()).anyMatch(each -> each == partition), "a partition of the set");
            assertTrue(!set.succeeded.contains(partition), "a partition that succeeded runs no more");
            long others = set.held.stream()
                    .filter(task -> attempts.get(task).partition() == partition)
                    .count();
            assertTrue(others <= (speculation ? 1 : 0), "one attempt at a partition at a time, and a copy");
            Attempt before = attempts.put(
                    batch.task(i), new Attempt(set, partition, effect.executor().value()));
            assertEquals(null, before, "the number of an attempt comes once");
            set.held.add(batch.task(i));
        }
    }

    /** Records the end of an attempt. */
    void onEnded(TaskSetId id, TaskInfo task, TaskOutcome outcome) {
        SetPage set = page(id);
        Attempt attempt = attempts.get(task.task());
        see("attempt " + outcome);
        if (task.speculative()) {
            see("copy " + outcome);
        }
        assertTrue(set.held.remove(task.task()), "an attempt ends once");
        assertTrue(
                attempt.set() == set
                        && attempt.partition() == task.partition()
                        && attempt.executor().equals(task.executor()),
                "an attempt is what was launched");
        if (outcome == TaskOutcome.FAILED || outcome == TaskOutcome.EXECUTOR_LOST) {
            set.failures.merge(task.partition(), 1, Integer::sum);
        }
        if (outcome != TaskOutcome.SUCCEEDED) {
            published.remove(set.key(task.partition()), task.task());
        }
    }

    void onSucceeded(SchedulerEffect.Succeeded effect) {
        onEnded(effect.set(), effect.task(), TaskOutcome.SUCCEEDED);
        assertTrue(page(effect.set()).succeeded.add(effect.task().partition()), "a partition of a set succeeds once");
    }

    void onSetFailed(SchedulerEffect.SetFailed effect) {
        SetPage set = page(effect.set());
        set.closed = true;
        assertEquals(ErrorCode.TASK_FAILED.name(), effect.failure().code());
        int most = set.failures.values().stream().mapToInt(each -> each).max().orElse(0);
        assertTrue(most >= taskFailuresMax, "a set fails after as many failures of a task as are allowed: " + most);
    }

    void onBarrierBroken(SchedulerEffect.BarrierBroken effect) {
        see("set BROKEN");
        page(effect.set()).closed = true;
    }

    void onDrained(SchedulerEffect.Drained effect) {
        SetPage set = page(effect.set());
        assertTrue(!set.drained, "a set is drained once");
        assertEquals(Set.of(), set.held, "nothing of a drained set runs");
        set.drained = true;
    }

    void publish(TaskSetId id, int partition, long task) {
        SetPage set = page(id);
        Long other = published.putIfAbsent(set.key(partition), task);
        assertTrue(other == null || other == task, set.key(partition) + " is published twice");
    }

    void onResult(DagEffect.Result effect) {
        JobPage job = page(effect.job());
        assertTrue(!job.ended, "a result of a job that has not ended");
        assertEquals(null, job.results.put(effect.index(), effect.end()), "a result comes once");
        StagePlan plan = job.spec.plan().result();
        int partition = job.spec.plan().partitions()[effect.index()];
        Object value = ((TaskResult.Shared) effect.end().value()).value();
        assertEquals(model.expected(plan, partition), value, "the right result");
    }

    void onCount(DagEffect.MergeAccumulators effect) {
        Attempt attempt = attempts.get(effect.end().task());
        assertTrue(
                counted.add(attempt.set().key(attempt.partition())),
                "what a partition adds counts once, not twice: " + attempt.set().key(attempt.partition()));
    }

    void onCompleted(DagEffect.Completed effect) {
        JobPage job = end(effect.job());
        see("job COMPLETED");
        assertEquals(job.spec.plan().partitions().length, job.results.size(), "a completed job has every result");
        if (job.spec.plan().result().barrier()) {
            List<TaskSetId> together = job.results.values().stream()
                    .map(end -> attempts.get(end.task()).set().spec.id())
                    .distinct()
                    .toList();
            assertTrue(together.size() <= 1, "the results of a barrier stage are of one attempt: " + together);
        }
        job.results.values().forEach(end -> {
            Attempt attempt = attempts.get(end.task());
            assertTrue(counted.contains(attempt.set().key(attempt.partition())), "every result counted");
        });
        if (!job.results.isEmpty() && !job.spec.plan().result().covered()) { // otherwise its parents may never have run
            job.spec.plan().result().parents().forEach(shuffle -> requireCounted(job.spec, shuffle));
        }
    }

    private void requireCounted(JobSpec job, int shuffle) {
        StagePlan plan = job.plan().stages().stream()
                .filter(stage -> stage.shuffle() == shuffle)
                .findFirst()
                .orElseThrow();
        for (int partition = 0; partition < plan.partitions(); partition++) {
            assertTrue(counted.contains("shuffle " + shuffle + " partition " + partition), "what was read was counted");
        }
    }

    void onFailed(DagEffect.Failed effect) {
        JobPage job = end(effect.job());
        HearthException failure = effect.failure();
        see("job " + failure.code());
        switch (ErrorCode.of(failure).orElseThrow()) {
            case JOB_CANCELLED ->
                assertTrue(cancelledJobs.contains(effect.job()), "only what was cancelled is: " + failure.getMessage());
            case TASK_FAILED, TOO_FEW_SLOTS ->
                assertTrue(job.spec.plan().stages().size() > 0, "checked where the set failed");
            case STAGE_FAILED ->
                assertTrue(
                        failedAttempts.values().stream().anyMatch(count -> count >= stageFailuresMax),
                        "a stage failed as often as is allowed: " + failure.getMessage());
            default -> throw new AssertionError("no documented failure: " + failure, failure);
        }
    }

    private JobPage end(int id) {
        JobPage job = page(id);
        assertTrue(!job.ended, "a job ends once");
        job.ended = true;
        return job;
    }

    void onPublishEvent(DagEffect.PublishEvent effect) {
        if (effect.event() instanceof ApplicationEvent.StageSubmitted event) {
            String stage = event.stage().stage() + "." + event.stage().attempt();
            assertTrue(openStages.add(stage), "a stage attempt begins once");
        } else if (effect.event() instanceof ApplicationEvent.StageCompleted event) {
            String stage = event.stage().stage() + "." + event.stage().attempt();
            assertTrue(openStages.remove(stage), "a stage attempt that began ends once");
            if (event.failure().isEmpty()) {
                failedAttempts.remove(event.stage().stage());
            } else {
                failedAttempts.merge(event.stage().stage(), 1, Integer::sum);
            }
        }
    }

    /** Checks the final state, after the last event. */
    void close() {
        assertTrue(allJobsEnded(), "every job ends");
        sets.values().forEach(set -> {
            assertTrue(set.drained, "set " + set.spec.id() + " is drained");
            assertTrue(set.over, "set " + set.spec.id() + " is over");
        });
        assertEquals(Set.of(), openStages, "every stage attempt ends");
    }
}
