package dev.hearth.engine.internal.simulation;

import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.resource.TaskProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Random jobs over shared shuffles, and the expected value of each of their partitions. */
final class ModelJobs {
    private static final int SHUFFLES = 10;
    private static final int PARENTS_MAX = 3;
    private static final int BARRIER_TASKS_MAX = 4;
    private static final Pipeline PIPELINE = new Pipeline(new Source.Elements(), List.of(), new Sink.Count(), Map.of());

    private final RandomGenerator random;
    private final Map<Integer, StagePlan> shuffles = new LinkedHashMap<>();
    private final Map<Integer, long[]> outputs = new LinkedHashMap<>();
    private final Set<Integer> forgotten = new LinkedHashSet<>();
    private int jobs;

    ModelJobs(RandomGenerator random) {
        this.random = random;
        for (int shuffle = 0; shuffle < SHUFFLES; shuffle++) {
            StagePlan plan = plan(shuffle, parents(shuffle));
            shuffles.put(shuffle, plan);
            outputs.put(shuffle, expected(plan));
        }
    }

    private List<Integer> parents(int below) {
        Set<Integer> parents = new LinkedHashSet<>();
        int count = below == 0 ? 0 : random.nextInt(PARENTS_MAX);
        for (int i = 0; i < count; i++) {
            parents.add(random.nextInt(below));
        }
        return List.copyOf(parents);
    }

    private StagePlan plan(int shuffle, List<Integer> parents) {
        boolean barrier = random.nextInt(6) == 0;
        int partitions = barrier ? 1 + random.nextInt(BARRIER_TASKS_MAX) : random.nextInt(7);
        return plan(shuffle, parents, partitions, barrier, random.nextInt(4) == 0);
    }

    private static StagePlan plan(
            int shuffle, List<Integer> parents, int partitions, boolean barrier, boolean covered) {
        return new StagePlan(
                shuffle,
                PIPELINE,
                PartitionInputs.NONE,
                partitions,
                parents,
                PreferredLocations.ANYWHERE,
                barrier,
                "stage of " + shuffle,
                "",
                List.of(),
                covered,
                TaskProfile.DEFAULT);
    }

    /** A random job over some of the shuffles; its plan includes their ancestors. */
    JobSpec next() {
        List<Integer> parents =
                parents(SHUFFLES).stream().filter(this::isRemembered).toList();
        Set<Integer> needed = new LinkedHashSet<>(parents);
        for (int shuffle = SHUFFLES - 1; shuffle >= 0; shuffle--) {
            if (needed.contains(shuffle)) {
                needed.addAll(shuffles.get(shuffle).parents());
            }
        }
        List<StagePlan> plans =
                new ArrayList<>(needed.stream().sorted().map(shuffles::get).toList());
        StagePlan result = plan(StagePlan.RESULT, parents);
        plans.add(result);
        int[] wanted = IntStream.range(0, result.partitions())
                .filter(partition -> result.barrier() || random.nextInt(5) > 0)
                .toArray();
        return spec(plans, wanted);
    }

    private boolean isRemembered(int shuffle) {
        return !forgotten.contains(shuffle)
                && shuffles.get(shuffle).parents().stream().allMatch(this::isRemembered);
    }

    /** Picks a shuffle that no later job reads. */
    int forget() {
        int shuffle = random.nextInt(SHUFFLES);
        forgotten.add(shuffle);
        return shuffle;
    }

    /** A job of one stage without shuffles. */
    JobSpec plain(int tasks) {
        return spec(
                List.of(plan(StagePlan.RESULT, List.of(), tasks, false, false)),
                IntStream.range(0, tasks).toArray());
    }

    private JobSpec spec(List<StagePlan> plans, int[] wanted) {
        int id = jobs++;
        return new JobSpec(
                id,
                new JobPlan(plans, wanted),
                "job",
                "",
                random.nextBoolean() ? Optional.of("group" + random.nextInt(3)) : Optional.empty(),
                random.nextBoolean() ? List.of("tag" + random.nextInt(3)) : List.of(),
                "pool" + random.nextInt(3),
                random.nextBoolean(),
                Map.of());
    }

    /** Expected value of a partition. */
    long expected(StagePlan plan, int partition) {
        return value(plan, partition, plan.parents().stream().map(outputs::get).toList());
    }

    private long[] expected(StagePlan plan) {
        return IntStream.range(0, plan.partitions())
                .mapToLong(partition -> expected(plan, partition))
                .toArray();
    }

    /** Value of a partition as a function of its input; the same for every attempt. */
    static long value(StagePlan plan, int partition, List<long[]> read) {
        long value = 31L * plan.shuffle() + partition;
        for (long[] shuffle : read) {
            for (long each : shuffle) {
                value = value * 1_000_003 + each;
            }
        }
        return value;
    }
}
