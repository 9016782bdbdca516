package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one stage computes: back from its end, through all that needs no shuffle, to shuffles and to what the driver gives. Each
 * dataset that others are made of becomes one branch, however many these are. Owned by the thread that plans.
 */
final class PipelinePlanner {
    private final CacheStatus kept;
    private final IdentityHashMap<Lineage, Integer> places =
            new IdentityHashMap<>(); // of ends of branches: asked for, never gone through
    private final List<Lineage> ends = new ArrayList<>();
    private final List<Pipeline.Branch> branches = new ArrayList<>();
    private final List<Lineage> beginnings = new ArrayList<>(); // by branch
    private final List<Lineage.Shuffled> read = new ArrayList<>();
    private final List<Integer> datasets = new ArrayList<>();
    private final Pipeline.Branch root;
    private final Lineage beginning;
    private final List<Integer> keepings = new ArrayList<>(); // datasets that are to be kept
    private boolean barrier;

    PipelinePlanner(Lineage end, CacheStatus kept) {
        this.kept = kept;
        this.root = branch(end);
        for (int place = 0; place < ends.size(); place++) { // more are found on the way
            branches.add(branch(ends.get(place)));
        }
        this.beginning = beginnings.remove(0);
    }

    Pipeline.Branch root() {
        return root;
    }

    List<Pipeline.Branch> branches() {
        return branches;
    }

    /** What reads shuffles. */
    List<Lineage.Shuffled> read() {
        return read;
    }

    boolean isBarrier() {
        return barrier;
    }

    List<Integer> datasets() {
        return datasets;
    }

    PartitionInputs inputs() {
        if (beginning instanceof Lineage.Root given) {
            return given.inputs();
        }
        return given().isEmpty()
                ? PartitionInputs.NONE
                : new BranchInputs(root.source().parts(), parts(), given());
    }

    /** Near what is kept, else where the elements come from. */
    PreferredLocations placement() {
        if (keepings.isEmpty() && beginning instanceof Lineage.Root given) {
            return given.placement();
        }
        boolean anywhere = given().values().stream().allMatch(given -> given.placement() == PreferredLocations.ANYWHERE)
                && !(beginning instanceof Lineage.Root);
        return keepings.isEmpty() && anywhere
                ? PreferredLocations.ANYWHERE
                : new BranchLocations(root, branches, beginning, beginnings, kept);
    }

    /** Whether enough is kept for those partitions, so that no shuffle is read. */
    boolean areCovered(int[] wanted) {
        return !keepings.isEmpty() && new CacheCoverage(root, branches, kept).holds(wanted);
    }

    private List<NarrowDependencies> parts() {
        return branches.stream().map(branch -> branch.source().parts()).toList();
    }

    private Map<Integer, Lineage.Root> given() {
        Map<Integer, Lineage.Root> given = new LinkedHashMap<>();
        for (int place = 0; place < beginnings.size(); place++) {
            if (beginnings.get(place) instanceof Lineage.Root one) {
                given.put(place, one);
            }
        }
        return given;
    }

    /** From its end back, once: another thread may cut the lineage in the meantime. */
    private Pipeline.Branch branch(Lineage end) {
        List<Step> steps = new ArrayList<>();
        List<Integer> passed = new ArrayList<>();
        Lineage at = end.now();
        while (at instanceof Lineage.Transformed || at instanceof Lineage.TwoPass) {
            keep(at.dataset(), steps);
            steps.add(step(at));
            passed.add(at.dataset());
            at = at.parents().get(0).now();
        }
        keep(at.dataset(), steps);
        passed.add(at.dataset());
        Collections.reverse(steps);
        Collections.reverse(passed);
        datasets.addAll(passed);
        beginnings.add(at);
        return new Pipeline.Branch(source(at), steps);
    }

    private Step step(Lineage at) {
        if (at instanceof Lineage.Transformed stepped) {
            barrier |= stepped.barrier();
            return stepped.step();
        }
        return new Step.MapPartitionsWithIndex(((Lineage.TwoPass) at).survey().function());
    }

    private Source source(Lineage from) {
        if (from instanceof Lineage.Root given) {
            return given.source();
        }
        if (from instanceof Lineage.Shuffled shuffled) {
            read.add(shuffled);
            return shuffled.source();
        }
        Lineage.Narrow gathered = (Lineage.Narrow) from;
        NarrowDependencies parts = gathered.source().parts();
        List<Integer> found = parts.branches().stream()
                .map(place -> place(gathered.parents().get(place)))
                .toList();
        return gathered.source().over(new NarrowDependencies(parts.kind(), found, parts.numbers()));
    }

    private int place(Lineage end) {
        return places.computeIfAbsent(end, missing -> {
            ends.add(end);
            return ends.size() - 1;
        });
    }

    /** Adds the step that keeps a dataset, if it is to be kept. Steps are gathered from the last to the first. */
    private void keep(int dataset, List<Step> steps) {
        StorageLevel level = kept.level(dataset);
        if (level != StorageLevel.NONE) {
            keepings.add(dataset);
            steps.add(new Step.Persist(dataset, level));
        }
    }
}
