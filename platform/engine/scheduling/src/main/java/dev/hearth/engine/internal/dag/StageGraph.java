package dev.hearth.engine.internal.dag;

import dev.hearth.engine.internal.plan.StagePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stages that running jobs need. A shuffle has one stage, even if several jobs share it. The graph reports the
 * creation and the removal of each stage; between both reports, the plan of the stage is in use, even after its job has
 * ended. It visits stages in the order of a job's plan, parents first, so it needs no recursion even for a deep
 * lineage. Owned by {@link DagScheduler}.
 */
final class StageGraph {
    private final MapOutputTracker outputs;
    private final DagEffects effects;
    private final Map<Integer, Stage> byId = new LinkedHashMap<>();
    private final Map<Integer, Stage> byShuffle = new LinkedHashMap<>();
    private int stagesCreated;

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

    /**
     * Throws if the plan of {@code job} is invalid, for example if a stage precedes its parents. An invalid plan is a
     * bug of the planner.
     */
    void check(JobSpec job) {
        Map<Integer, StagePlan> seen = new LinkedHashMap<>();
        int left = job.plan().stages().size();
        for (StagePlan plan : job.plan().stages()) {
            boolean last = --left == 0;
            if (plan.isResult() != last || !seen.keySet().containsAll(plan.parents())) {
                throw refusal(job, plan, "each stage after its parents, one result stage at the end");
            }
            ShuffleStatus known = outputs.find(plan.shuffle());
            if (seen.put(plan.shuffle(), plan) != null || (known != null && known.partitions() != plan.partitions())) {
                throw refusal(job, plan, "one stage per shuffle, with an unchanged number of partitions");
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
                + plan.shuffle() + ": invalid plan (expected: " + rule + ")");
    }

    /**
     * Adds a job and returns its stages in the order of its plan, the result stage last. If another job already needs
     * the same shuffle, the two jobs share the stage that writes the shuffle.
     */
    List<Stage> add(JobSpec job, JobResults results) {
        List<Stage> stages = new ArrayList<>();
        for (StagePlan plan : job.plan().stages()) {
            Stage known = plan.isResult() ? null : byShuffle.get(plan.shuffle());
            Stage stage = known != null ? known : create(plan, results);
            stage.jobs().put(job.id(), job);
            stages.add(stage);
        }
        return stages;
    }

    private Stage create(StagePlan plan, JobResults results) {
        List<Stage> parents = new ArrayList<>();
        for (int shuffle : plan.parents()) {
            parents.add(byShuffle.get(shuffle));
        }
        StageOutput output = plan.isResult() ? results : outputs.findOrCreate(plan.shuffle(), plan.partitions());
        Stage stage = new Stage(stagesCreated++, plan, output, parents);
        byId.put(stage.id(), stage);
        if (!plan.isResult()) {
            byShuffle.put(plan.shuffle(), stage);
        }
        effects.add(new DagEffect.StageCreated(plan));
        return stage;
    }

    /** Removes a stage from the graph, after all its attempts were cancelled, and reports the removal. */
    void remove(Stage stage) {
        byId.remove(stage.id());
        stage.parents().forEach(parent -> parent.readers().remove(stage));
        if (!stage.plan().isResult()) {
            byShuffle.remove(stage.plan().shuffle());
        }
        effects.add(new DagEffect.StageRemoved(stage.plan()));
    }
}
