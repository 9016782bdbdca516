package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Placement;
import dev.hearth.engine.internal.plan.SinkKind;
import dev.hearth.engine.internal.plan.SourceKind;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.serial.Capture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Cuts a dataset's lineage into stages at its shuffles, parents first; by a stack of its own, for lineages are deep. */
final class StageCutter {
    private final Map<String, String> properties;
    private final CallSite site;
    private final List<StagePlan> stages = new ArrayList<>(); // the last to run first
    private final Set<Integer> planned = new LinkedHashSet<>();
    private final ArrayDeque<Lineage.Shuffled> waiting = new ArrayDeque<>();

    private StageCutter(Map<String, String> properties, CallSite site) {
        this.properties = properties;
        this.site = site;
    }

    /** The job that gives {@code sink} the elements of those {@code partitions}. */
    static JobPlan cut(
            Lineage dataset, Pipeline.Sink sink, int[] partitions, Map<String, String> properties, CallSite site) {
        StageCutter cutter = new StageCutter(properties, site);
        cutter.stages.add(cutter.stage(dataset, sink, StagePlan.RESULT));
        while (!cutter.waiting.isEmpty()) {
            Lineage.Shuffled shuffled = cutter.waiting.poll();
            if (cutter.planned.add(shuffled.shuffle())) {
                cutter.stages.add(cutter.stage(shuffled.from(), writing(shuffled), shuffled.shuffle()));
            }
        }
        Collections.reverse(cutter.stages);
        return new JobPlan(cutter.stages, partitions);
    }

    private static Pipeline.Sink writing(Lineage.Shuffled shuffled) {
        SinkKind kind = shuffled.join().isPresent() ? SinkKind.SHUFFLE_REDUCED : SinkKind.SHUFFLE;
        return new Pipeline.Sink(kind, shuffled.join().orElse(Capture.NONE), shuffled.shuffle(), shuffled.partitions());
    }

    /** The stage that ends with {@code sink}: back to the nearest shuffle, or to what the driver gives. */
    private StagePlan stage(Lineage end, Pipeline.Sink sink, int shuffle) {
        List<Pipeline.Step> steps = new ArrayList<>();
        List<Integer> datasets = new ArrayList<>();
        boolean barrier = false;
        Lineage at = end;
        while (at instanceof Lineage.Stepped stepped) {
            steps.add(stepped.step());
            datasets.add(stepped.dataset());
            barrier |= stepped.barrier();
            at = stepped.from();
        }
        datasets.add(at.dataset());
        Collections.reverse(steps);
        Collections.reverse(datasets);
        Pipeline.Source source = Pipeline.Source.INPUT;
        PartitionInputs inputs = PartitionInputs.NONE;
        Placement placement = Placement.ANYWHERE;
        List<Integer> parents = List.of();
        if (at instanceof Lineage.Given given) {
            inputs = given.inputs();
            placement = given.placement();
        } else if (at instanceof Lineage.Shuffled read) {
            Optional<Capture> join = read.join();
            source = new Pipeline.Source(
                    join.isPresent() ? SourceKind.REDUCED : SourceKind.GROUPED,
                    read.shuffle(),
                    join.orElse(Capture.NONE));
            parents = List.of(read.shuffle());
            waiting.add(read);
        }
        return new StagePlan(
                shuffle,
                new Pipeline(source, steps, sink, properties),
                inputs,
                end.partitions(),
                parents,
                placement,
                barrier,
                site.shown(),
                site.frames(),
                datasets);
    }
}
