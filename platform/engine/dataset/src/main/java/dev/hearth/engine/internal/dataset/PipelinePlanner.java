package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import dev.hearth.api.resource.ResourceProfile;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plans the pipeline of one stage. Walks the lineage back from the last dataset to shuffles, files, and elements that
 * the driver provides. A dataset that others read by narrow dependencies becomes one branch, even if several datasets
 * read it. Owned by the thread that plans.
 */
final class PipelinePlanner {
    private final CacheStatus cached;
    // Index of each branch, by the last dataset of the branch. Never iterated, because it has no order.
    private final IdentityHashMap<Lineage, Integer> indices = new IdentityHashMap<>();
    private final List<Lineage> ends = new ArrayList<>();
    private final List<Pipeline.Branch> branches = new ArrayList<>();
    // First dataset of each branch. The constructor removes the entry of the root branch.
    private final List<Lineage> origins = new ArrayList<>();
    private final List<Lineage.Shuffled> read = new ArrayList<>();
    private final List<Integer> datasets = new ArrayList<>();
    private final Pipeline.Branch root;
    private final Lineage origin;
    private final List<Integer> persisted = new ArrayList<>(); // datasets to persist
    private final Set<ResourceProfile> profiles = new LinkedHashSet<>();
    private boolean barrier;

    PipelinePlanner(Lineage end, CacheStatus cached) {
        this.cached = cached;
        this.root = branch(end);
        for (int index = 0; index < ends.size(); index++) { // `branch` may append to `ends`, so no iterator
            branches.add(branch(ends.get(index)));
        }
        this.origin = origins.remove(0);
    }

    Pipeline.Branch root() {
        return root;
    }

    List<Pipeline.Branch> branches() {
        return branches;
    }

    /** The datasets that this stage reads through shuffles, in all its branches. */
    List<Lineage.Shuffled> read() {
        return read;
    }

    boolean isBarrier() {
        return barrier;
    }

    /** The different resource profiles of the datasets that this stage computes. */
    Set<ResourceProfile> profiles() {
        return profiles;
    }

    List<Integer> datasets() {
        return datasets;
    }

    PartitionInputs inputs() {
        if (origin instanceof Lineage.Root given) {
            return given.inputs();
        }
        return given().isEmpty()
                ? PartitionInputs.NONE
                : new BranchInputs(root.source().parts(), parts(), given());
    }

    /**
     * The preferred locations of the stage's tasks: the executors with cached blocks, or else the locations of the
     * input data.
     */
    PreferredLocations placement() {
        if (persisted.isEmpty() && origin instanceof Lineage.Root given) {
            return given.placement();
        }
        boolean anywhere = given().values().stream().allMatch(given -> given.placement() == PreferredLocations.ANYWHERE)
                && !(origin instanceof Lineage.Root);
        return persisted.isEmpty() && anywhere
                ? PreferredLocations.ANYWHERE
                : new BranchLocations(root, branches, origin, origins, cached);
    }

    /** Whether enough blocks are cached that the tasks of the {@code wanted} partitions need not read any shuffle. */
    boolean areCovered(int[] wanted) {
        return !persisted.isEmpty() && new CacheCoverage(root, branches, cached).covers(wanted);
    }

    private List<NarrowDependencies> parts() {
        return branches.stream().map(branch -> branch.source().parts()).toList();
    }

    private Map<Integer, Lineage.Root> given() {
        Map<Integer, Lineage.Root> given = new LinkedHashMap<>();
        for (int index = 0; index < origins.size(); index++) {
            if (origins.get(index) instanceof Lineage.Root one) {
                given.put(index, one);
            }
        }
        return given;
    }

    /**
     * Plans the branch that ends in dataset {@code end}. Walks the lineage only once, because a checkpoint on another
     * thread may truncate it between two walks.
     */
    private Pipeline.Branch branch(Lineage end) {
        List<Step> steps = new ArrayList<>();
        List<Integer> passed = new ArrayList<>();
        Lineage at = enter(end);
        while (at instanceof Lineage.Transformed || at instanceof Lineage.TwoPass) {
            keep(at.dataset(), steps);
            steps.add(step(at));
            passed.add(at.dataset());
            at = enter(at.parents().get(0));
        }
        keep(at.dataset(), steps);
        passed.add(at.dataset());
        Collections.reverse(steps);
        Collections.reverse(passed);
        datasets.addAll(passed);
        origins.add(at);
        return new Pipeline.Branch(source(at), steps);
    }

    /** The lineage by which a dataset is computed now. Notes the resource profile of the dataset. */
    private Lineage enter(Lineage dataset) {
        if (dataset instanceof Lineage.Checkpointable named) {
            named.profile().ifPresent(profiles::add);
        }
        return dataset.current();
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
                .map(index -> index(gathered.parents().get(index)))
                .toList();
        return gathered.source().over(new NarrowDependencies(parts.kind(), found, parts.numbers()));
    }

    private int index(Lineage end) {
        return indices.computeIfAbsent(end, missing -> {
            ends.add(end);
            return ends.size() - 1;
        });
    }

    /**
     * Adds the step that caches a dataset to {@code steps}, if the dataset is persisted. The list {@code steps} is in
     * reverse order, last step first.
     */
    private void keep(int dataset, List<Step> steps) {
        StorageLevel level = cached.level(dataset);
        if (level != StorageLevel.NONE) {
            persisted.add(dataset);
            steps.add(new Step.Persist(dataset, level));
        }
    }
}
