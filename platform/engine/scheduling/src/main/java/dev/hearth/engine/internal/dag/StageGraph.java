package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.StagePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stages that active jobs need, each once however many jobs share it. Owned by the stage scheduler. Says when it makes
 * one and when it lets it go: between the two tasks run by its plan, though the job that brought the plan may have ended.
 * <p>Follows the order of a plan, in which a stage comes after those it reads; nothing here recurs, whatever the depth.
 */
final class StageGraph {
    private final MapOutputTracker outputs;
    private final DagEffects effects;
    private final Map<Integer, Stage> byId = new LinkedHashMap<>();
    private final Map<Integer, Stage> byShuffle = new LinkedHashMap<>();
    private int made;

    StageGraph(MapOutputTracker outputs, DagEffects effects) {
        this.outputs = outputs;
        this.effects = effects;
    }

    @Nullable
    Stage find(int stage) {
        return byId.get(stage);
    }

    @Nullable
    Stage ofShuffle(int shuffle) {
        return byShuffle.get(shuffle);
    }

    /** Refuses a plan that cannot be followed: a mistake of whoever planned. */
    void check(JobSpec job) {
        Map<Integer, StagePlan> seen = new LinkedHashMap<>();
        int left = job.plan().stages().size();
        for (StagePlan plan : job.plan().stages()) {
            boolean last = --left == 0;
            if (plan.isResult() != last || !seen.keySet().containsAll(plan.parents())) {
                throw refusal(job, plan, "each after those it reads, one that makes the result last");
            }
            ShuffleStatus known = outputs.find(plan.shuffle());
            if (seen.put(plan.shuffle(), plan) != null || (known != null && known.partitions() != plan.partitions())) {
                throw refusal(job, plan, "one stage per shuffle, of as many partitions as ever");
            }
        }
        StagePlan result = job.plan().result();
        for (int partition : job.plan().partitions()) {
            if (partition < 0 || partition >= result.partitions()) {
                throw refusal(job, result, "partitions from 0 to " + (result.partitions() - 1) + ", not " + partition);
            }
        }
    }

    private static IllegalArgumentException refusal(JobSpec job, StagePlan plan, String rule) {
        return new IllegalArgumentException("job " + job.id() + ", stage '" + plan.name() + "' of shuffle "
                + plan.shuffle() + ": cannot be followed (expected: " + rule + ")");
    }

    /** The stages of a job in the order of its plan, the last one making its result; those of other jobs are shared. */
    List<Stage> add(JobSpec job, JobResults results) {
        List<Stage> stages = new ArrayList<>();
        for (StagePlan plan : job.plan().stages()) {
            Stage known = plan.isResult() ? null : byShuffle.get(plan.shuffle());
            Stage stage = known != null ? known : make(plan, results);
            stage.jobs().put(job.id(), job);
            stages.add(stage);
        }
        return stages;
    }

    private Stage make(StagePlan plan, JobResults results) {
        List<Stage> parents = new ArrayList<>();
        for (int shuffle : plan.parents()) {
            parents.add(byShuffle.get(shuffle));
        }
        StageOutput output = plan.isResult() ? results : outputs.of(plan.shuffle(), plan.partitions());
        Stage stage = new Stage(made++, plan, output, parents);
        byId.put(stage.id(), stage);
        if (!plan.isResult()) {
            byShuffle.put(plan.shuffle(), stage);
        }
        effects.add(new DagEffect.StageCreated(plan));
        return stage;
    }

    /** Lets a stage go whose attempts have been cancelled. */
    void remove(Stage stage) {
        byId.remove(stage.id());
        stage.parents().forEach(parent -> parent.readers().remove(stage));
        if (!stage.plan().isResult()) {
            byShuffle.remove(stage.plan().shuffle());
        }
        effects.add(new DagEffect.StageRemoved(stage.plan()));
    }
}
