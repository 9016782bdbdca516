package dev.hearth.engine.internal.dataset;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.Keeping;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Placement;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.serial.Capture;
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

    /** The stage that ends with {@code sink}: back to the nearest shuffle, or to what the driver gives. */
    private StagePlan stage(Lineage end, Pipeline.Sink sink, int shuffle, int[] wanted) {
        List<Pipeline.Step> steps = new ArrayList<>();
        List<Integer> datasets = new ArrayList<>();
        boolean barrier = false;
        Lineage at = end.now();
        while (at instanceof Lineage.Stepped stepped) {
            keep(stepped.dataset(), steps);
            steps.add(stepped.step());
            datasets.add(stepped.dataset());
            barrier |= stepped.barrier();
            at = stepped.from().now();
        }
        keep(at.dataset(), steps);
        datasets.add(at.dataset());
        Collections.reverse(steps);
        Collections.reverse(datasets);
        Pipeline.Source source = Pipeline.Source.INPUT;
        PartitionInputs inputs = PartitionInputs.NONE;
        Placement placement = Placement.ANYWHERE;
        if (at instanceof Lineage.Given given) {
            source = given.source();
            inputs = given.inputs();
            placement = given.placement();
        } else if (at instanceof Lineage.Shuffled read) {
            source = read.source();
            read.sides().forEach(side -> waiting.add(new Wanted(side, read.partitions())));
        }
        return new StagePlan(
                shuffle,
                new Pipeline(source, steps, sink, properties),
                inputs,
                end.partitions(),
                source.shuffles(),
                nearKept(steps, placement),
                barrier,
                site.shown(),
                site.frames(),
                datasets,
                isCovered(steps, wanted));
    }

    /** Near what is kept, the last of it first; else where the elements come from. */
    private Placement nearKept(List<Pipeline.Step> steps, Placement otherwise) {
        List<Integer> datasets = new ArrayList<>();
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (steps.get(i).kind() == StepKind.KEEP) {
                datasets.add(steps.get(i).keeping().dataset());
            }
        }
        if (datasets.isEmpty()) {
            return otherwise;
        }
        Keepings known = kept;
        return partition -> datasets.stream()
                .map(dataset -> known.places(dataset, partition))
                .filter(places -> !places.isEmpty())
                .findFirst()
                .orElseGet(() -> otherwise.preferred(partition));
    }

    private boolean isCovered(List<Pipeline.Step> steps, int[] wanted) {
        return steps.stream()
                .anyMatch(step -> step.kind() == StepKind.KEEP
                        && kept.areThere(step.keeping().dataset(), wanted));
    }

    /** Adds the step that keeps a dataset, if it is to be kept. Steps are gathered from the last to the first. */
    private void keep(int dataset, List<Pipeline.Step> steps) {
        StorageLevel level = kept.level(dataset);
        if (level != StorageLevel.NONE) {
            steps.add(new Pipeline.Step(StepKind.KEEP, Capture.NONE, new Keeping(dataset, level)));
        }
    }
}
