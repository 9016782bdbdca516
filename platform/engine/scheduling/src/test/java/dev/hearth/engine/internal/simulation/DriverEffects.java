package dev.hearth.engine.internal.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.dag.DagEffect;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Performs the effects of both schedulers, as a driver does, and records them in the ledger first. */
final class DriverEffects implements SchedulerEffect.Handler, DagEffect.Handler {
    private final DriverWorld world;
    private final Map<ExecutorId, Set<StagePlan>> defined = new LinkedHashMap<>();
    private final IdentityHashMap<StagePlan, Integer> stages = new IdentityHashMap<>(); // number of stages per plan

    DriverEffects(DriverWorld world) {
        this.world = world;
    }

    private ModelExecutor executor(ExecutorId id) {
        ModelExecutor executor = world.executors.get(id);
        assertTrue(executor != null, "an executor that is known");
        return executor;
    }

    private Set<StagePlan> defined(ExecutorId id) {
        return defined.computeIfAbsent(id, any -> Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    @Override
    public void onDefine(SchedulerEffect.Define effect) {
        assertTrue(defined(effect.executor()).add(effect.plan()), "a plan is defined once");
        assertTrue(stages.containsKey(effect.plan()), "a plan is defined while a stage uses it");
    }

    @Override
    public void onLaunch(SchedulerEffect.Launch effect) {
        ModelExecutor executor = executor(effect.executor());
        assertTrue(defined(effect.executor()).contains(effect.batch().plan()), "a plan is defined before it is used");
        world.ledger.onLaunch(effect, world.speculation);
        executor.send(effect.batch());
    }

    @Override
    public void onStarted(SchedulerEffect.Started effect) {} // for listeners only

    @Override
    public void onKill(SchedulerEffect.Kill effect) {
        executor(effect.executor()).kill(effect.task(), effect.kind(), effect.reason());
    }

    @Override
    public void onForget(SchedulerEffect.Forget effect) {
        assertTrue(defined(effect.executor()).remove(effect.plan()), "a plan that was defined is forgotten");
    }

    @Override
    public void onSucceeded(SchedulerEffect.Succeeded effect) {
        world.ledger.onSucceeded(effect);
        ended(effect.set(), effect.task(), TaskOutcome.SUCCEEDED);
        world.dag.succeeded(effect, world.now());
        if (world.flaw == DriverFlaw.MIXES_UP_PARTITIONS) {
            TaskInfo task = effect.task();
            TaskInfo other = new TaskInfo(
                    task.task(),
                    task.stage(),
                    task.stageAttempt(),
                    0,
                    task.attempt(),
                    task.executor(),
                    task.host(),
                    task.locality(),
                    task.speculative(),
                    task.launchedMillis());
            world.dag.succeeded(new SchedulerEffect.Succeeded(effect.set(), other, effect.end()), world.now());
        }
    }

    @Override
    public void onEnded(SchedulerEffect.Ended effect) {
        TaskEnd end = effect.end();
        world.ledger.onEnded(effect.set(), effect.task(), end.outcome());
        ended(effect.set(), effect.task(), end.outcome());
        world.dag.ended(effect);
    }

    @Override
    public void onFetchFailed(SchedulerEffect.FetchFailed effect) {
        world.ledger.onEnded(effect.set(), effect.task(), TaskOutcome.FETCH_FAILED);
        ended(effect.set(), effect.task(), TaskOutcome.FETCH_FAILED);
        if (world.flaw != DriverFlaw.HIDES_FAILED_FETCHES) {
            world.dag.fetchFailed(effect, world.now());
        }
    }

    private void ended(TaskSetId set, TaskInfo task, TaskOutcome outcome) {
        world.commits.ended(task, outcome);
        world.rounds.ended(set, task.partition());
    }

    @Override
    public void onSetFailed(SchedulerEffect.SetFailed effect) {
        world.ledger.onSetFailed(effect);
        if (world.flaw != DriverFlaw.HIDES_FAILED_SETS) {
            world.dag.setFailed(effect, world.now());
        }
    }

    @Override
    public void onBarrierBroken(SchedulerEffect.BarrierBroken effect) {
        world.ledger.onBarrierBroken(effect);
        if (world.flaw != DriverFlaw.IGNORES_BROKEN_BARRIERS) {
            world.dag.barrierBroken(effect, world.now());
        }
    }

    @Override
    public void onDrained(SchedulerEffect.Drained effect) {
        world.ledger.onDrained(effect);
        world.dag.drained(effect);
    }

    @Override
    public void onExcludeHosts(SchedulerEffect.ExcludeHosts effect) {
        throw new AssertionError("exclusion is disabled: " + effect);
    }

    @Override
    public void onReleaseExecutor(SchedulerEffect.ReleaseExecutor effect) {
        throw new AssertionError("exclusion is disabled: " + effect);
    }

    @Override
    public void onPublishEvent(SchedulerEffect.PublishEvent effect) {
        world.simulation.note(effect.event().toString());
    }

    @Override
    public void onSubmit(DagEffect.Submit effect) {
        world.simulation.note("set " + effect.tasks().id() + " of shuffle "
                + effect.tasks().plan().shuffle() + " is submitted");
        world.ledger.onSubmit(effect);
        TaskSetId set = effect.tasks().id();
        world.commits.opened(set);
        if (effect.tasks().plan().barrier()) {
            world.rounds.opened(set, effect.tasks().partitions().length);
        }
        world.tasks.submit(effect.tasks(), world.now().nanos());
    }

    @Override
    public void onCancel(DagEffect.Cancel effect) {
        world.ledger.onCancel(effect);
        if (world.flaw != DriverFlaw.IGNORES_CANCEL) {
            world.tasks.cancel(effect.set(), effect.interrupt(), effect.reason());
        }
    }

    @Override
    public void onResult(DagEffect.Result effect) {
        world.ledger.onResult(effect);
    }

    @Override
    public void onCount(DagEffect.MergeAccumulators effect) {
        world.ledger.onCount(effect);
    }

    @Override
    public void onCompleted(DagEffect.Completed effect) {
        world.ledger.onCompleted(effect);
    }

    @Override
    public void onFailed(DagEffect.Failed effect) {
        world.simulation.note("job " + effect.job() + ": " + effect.failure().getMessage());
        world.ledger.onFailed(effect);
    }

    @Override
    public void onStageAttemptEnded(DagEffect.StageAttemptEnded effect) {
        world.ledger.onStageAttemptEnded(effect);
        world.commits.over(effect.set());
        world.rounds.over(effect.set());
    }

    @Override
    public void onStageCreated(DagEffect.StageCreated effect) {
        stages.merge(effect.plan(), 1, Integer::sum);
    }

    @Override
    public void onStageRemoved(DagEffect.StageRemoved effect) {
        assertTrue(stages.containsKey(effect.plan()), "a stage is removed once");
        stages.computeIfPresent(effect.plan(), (plan, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public void onPublishEvent(DagEffect.PublishEvent effect) {
        world.ledger.onPublishEvent(effect);
    }
}
