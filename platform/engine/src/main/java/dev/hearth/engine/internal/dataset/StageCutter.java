package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.StagePlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Cuts a dataset's lineage into stages at its shuffles, parents first; by a stack of its own, for lineages are deep. */
final class StageCutter {
    private final Map<String, String> properties;
    private final CallSite site;
    private final Keepings kept;
    private final List<StagePlan> stages = new ArrayList<>(); // the last to run first
    private final Set<Integer> planned = new LinkedHashSet<>();
    private final ArrayDeque<Wanted> waiting = new ArrayDeque<>();

    /** A shuffle that a stage reads, to be written by a stage of its own. */
    private record Wanted(Lineage.Side side, int readers) {}

    private StageCutter(Map<String, String> properties, CallSite site, Keepings kept) {
        this.properties = properties;
        this.site = site;
        this.kept = kept;
    }

    /** The job that gives {@code sink} the elements of those {@code partitions}; {@code kept} says what is kept. */
    static JobPlan cut(
            Lineage dataset,
            Pipeline.Sink sink,
            int[] partitions,
            Map<String, String> properties,
            CallSite site,
            Keepings kept) {
        StageCutter cutter = new StageCutter(properties, site, kept);
        cutter.stages.add(cutter.stage(dataset, sink, StagePlan.RESULT, partitions));
        while (!cutter.waiting.isEmpty()) {
            Wanted wanted = cutter.waiting.poll();
            Lineage.Side side = wanted.side();
            if (cutter.planned.add(side.shuffle())) {
                int[] all = IntStream.range(0, side.from().partitions()).toArray();
                cutter.stages.add(cutter.stage(side.from(), writing(wanted), side.shuffle(), all));
            }
        }
        Collections.reverse(cutter.stages);
        return new JobPlan(cutter.stages, partitions);
    }

    private static Pipeline.Sink writing(Wanted wanted) {
        Lineage.Side side = wanted.side();
        return new Pipeline.Sink(
                side.kind(),
                side.function(),
                side.shuffle(),
                wanted.readers(),
                side.spread().partitioner(),
                FileOutput.NOWHERE);
    }

    /** The stage that ends with {@code sink}: back to the nearest shuffles, or to what the driver gives. */
    private StagePlan stage(Lineage end, Pipeline.Sink sink, int shuffle, int[] wanted) {
        BranchCutter branches = new BranchCutter(end, kept);
        branches.read().forEach(read -> read.sides().forEach(side -> waiting.add(new Wanted(side, read.partitions()))));
        Pipeline.Branch root = branches.root();
        return new StagePlan(
                shuffle,
                new Pipeline(root.source(), root.steps(), sink, properties, branches.branches()),
                branches.inputs(),
                end.partitions(),
                branches.read().stream()
                        .flatMap(read -> read.source().shuffles().stream())
                        .distinct()
                        .toList(),
                branches.placement(),
                branches.isBarrier(),
                site.shown(),
                site.frames(),
                branches.datasets(),
                branches.areCovered(wanted));
    }
}
