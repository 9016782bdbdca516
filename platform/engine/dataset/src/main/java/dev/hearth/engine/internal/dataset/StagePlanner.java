package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Divides the lineage of a dataset into stages at its shuffles; parent stages come first. Walks with an explicit stack,
 * because lineages can be deep. Owned by the thread that plans.
 */
final class StagePlanner {
    private final Map<String, String> properties;
    private final CallSite site;
    private final CacheStatus cached;
    private final ProfileRegistry profiles;
    private final Map<Integer, StagePlan> stages = new LinkedHashMap<>(); // by shuffle
    private final ArrayDeque<PendingShuffle> waiting = new ArrayDeque<>();

    /**
     * A shuffle that an already planned stage reads, while the stage that writes the shuffle is still to be planned.
     * {@code readers} is its number of reduce partitions.
     */
    private record PendingShuffle(Lineage.ShuffleSide side, int readers) {}

    private StagePlanner(Map<String, String> properties, CallSite site, CacheStatus cached, ProfileRegistry profiles) {
        this.properties = properties;
        this.site = site;
        this.cached = cached;
        this.profiles = profiles;
    }

    /**
     * Cuts the lineage of {@code dataset} into stages at its shuffles. The resulting job passes the elements of
     * {@code partitions} of the dataset to {@code sink}.
     */
    static JobPlan cut(
            Lineage dataset,
            Sink sink,
            int[] partitions,
            Map<String, String> properties,
            CallSite site,
            CacheStatus cached,
            ProfileRegistry profiles) {
        StagePlanner cutter = new StagePlanner(properties, site, cached, profiles);
        StagePlan result = cutter.stage(dataset, sink, StagePlan.RESULT, partitions);
        while (!cutter.waiting.isEmpty()) {
            PendingShuffle wanted = cutter.waiting.poll();
            Lineage.ShuffleSide side = wanted.side();
            if (!cutter.stages.containsKey(side.shuffle())) {
                int[] all = IntStream.range(0, side.from().partitions()).toArray();
                cutter.stages.put(side.shuffle(), cutter.stage(side.from(), sink(wanted), side.shuffle(), all));
            }
        }
        return new JobPlan(cutter.inOrder(result), partitions);
    }

    /** Returns the planned stages of the job in topological order: parents first, {@code result} last. */
    private List<StagePlan> inOrder(StagePlan result) {
        Set<Integer> begun = new LinkedHashSet<>();
        Map<Integer, StagePlan> ordered = new LinkedHashMap<>();
        ArrayDeque<StagePlan> stack = new ArrayDeque<>(List.of(result));
        while (!stack.isEmpty()) {
            StagePlan stage = stack.element();
            if (!begun.add(stage.shuffle())) { // second visit, so its parents are in `ordered`
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

    private static Sink sink(PendingShuffle wanted) {
        Lineage.ShuffleSide side = wanted.side();
        return new Sink.ShuffleWrite(
                side.shuffle(), wanted.readers(), side.spread().partitioner(), side.mapSide());
    }

    /**
     * Plans the stage that computes the dataset {@code end} and passes its elements to {@code sink}. {@code shuffle} is
     * the shuffle that the stage writes, or {@link StagePlan#RESULT}. The job needs the {@code wanted} partitions.
     */
    private StagePlan stage(Lineage end, Sink sink, int shuffle, int[] wanted) {
        PipelinePlanner branches = new PipelinePlanner(end, cached);
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
                branches.areCovered(wanted),
                profiles.ofStage(branches.profiles()));
    }
}
