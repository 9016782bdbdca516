package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Cuts a dataset's lineage into stages at its shuffles, parents first; by a stack of its own, for lineages are deep. */
final class StagePlanner {
    private final Map<String, String> properties;
    private final CallSite site;
    private final CacheStatus kept;
    private final Map<Integer, StagePlan> stages = new LinkedHashMap<>(); // by shuffle, as they are found
    private final ArrayDeque<PendingShuffle> waiting = new ArrayDeque<>();

    /** A shuffle that a stage reads, to be written by a stage of its own. */
    private record PendingShuffle(Lineage.ShuffleSide side, int readers) {}

    private StagePlanner(Map<String, String> properties, CallSite site, CacheStatus kept) {
        this.properties = properties;
        this.site = site;
        this.kept = kept;
    }

    /** The job that gives {@code sink} the elements of those {@code partitions}; {@code kept} says what is kept. */
    static JobPlan cut(
            Lineage dataset,
            Sink sink,
            int[] partitions,
            Map<String, String> properties,
            CallSite site,
            CacheStatus kept) {
        StagePlanner cutter = new StagePlanner(properties, site, kept);
        StagePlan result = cutter.stage(dataset, sink, StagePlan.RESULT, partitions);
        while (!cutter.waiting.isEmpty()) {
            PendingShuffle wanted = cutter.waiting.poll();
            Lineage.ShuffleSide side = wanted.side();
            if (!cutter.stages.containsKey(side.shuffle())) {
                int[] all = IntStream.range(0, side.from().partitions()).toArray();
                cutter.stages.put(side.shuffle(), cutter.stage(side.from(), writing(wanted), side.shuffle(), all));
            }
        }
        return new JobPlan(cutter.inOrder(result), partitions);
    }

    /** Each stage after those it reads, however many of different depths read the same one. */
    private List<StagePlan> inOrder(StagePlan result) {
        Set<Integer> begun = new LinkedHashSet<>();
        Map<Integer, StagePlan> ordered = new LinkedHashMap<>();
        ArrayDeque<StagePlan> stack = new ArrayDeque<>(List.of(result));
        while (!stack.isEmpty()) {
            StagePlan stage = stack.element();
            if (!begun.add(stage.shuffle())) { // what it reads is in its place
                ordered.putIfAbsent(stage.shuffle(), stack.pop());
                continue;
            }
            for (int shuffle : stage.parents()) {
                if (!begun.contains(shuffle)) {
                    stack.push(Objects.requireNonNull(stages.get(shuffle)));
                }
            }
        }
        return List.copyOf(ordered.values());
    }

    private static Sink writing(PendingShuffle wanted) {
        Lineage.ShuffleSide side = wanted.side();
        return new Sink.ShuffleWrite(
                side.shuffle(), wanted.readers(), side.spread().partitioner(), side.mapSide());
    }

    /** The stage that ends with {@code sink}: back to the nearest shuffles, or to what the driver gives. */
    private StagePlan stage(Lineage end, Sink sink, int shuffle, int[] wanted) {
        PipelinePlanner branches = new PipelinePlanner(end, kept);
        branches.read()
                .forEach(read ->
                        read.sides().forEach(side -> waiting.add(new PendingShuffle(side, read.partitions()))));
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
