package dev.hearth.engine.internal.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.allocation.AllocationDecision;
import dev.hearth.engine.internal.allocation.AllocationSettings;
import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.ExecutorAllocation;
import dev.hearth.engine.internal.allocation.ExecutorData;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.engine.internal.scheduler.PoolTree;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Task sets of three resource profiles, on executors that come, end and are lost at random. With dynamic allocation each
 * profile has executors of its own; without, tasks of all profiles share the default executors. Tasks run only on
 * executors of their profile, never use more cores or addresses than there are, each partition succeeds once, and at the
 * end no idle executor is left.
 */
final class ProfileWorld {
    private static final long MILLI = 1_000_000L;
    private static final int STORM_STEPS = 400;
    private static final int CALM_STEPS = 3_000;
    private static final int STEP_MILLIS_MAX = 200;
    private static final int IDLE_MILLIS = 2_000;
    private static final int EXECUTORS_MAX = 3; // of each profile
    private static final String GPU = "gpu";

    final Map<String, Integer> seen = new TreeMap<>();
    private final ProfileFlaw flaw;
    private final String name;
    private final Random random;
    private final boolean dynamic;
    private final TaskScheduler scheduler;
    private final List<TaskProfile> profiles;
    private final Map<Integer, ExecutorAllocation> allocations = new LinkedHashMap<>();
    private final Map<ExecutorId, Model> executors = new LinkedHashMap<>();
    private final Map<ExecutorId, Long> unnoticed = new LinkedHashMap<>(); // crashed ones, with the time of the report
    private final Map<TaskSetId, TaskSetSpec> open = new LinkedHashMap<>();
    private final Map<TaskSetId, BitSet> succeeded = new LinkedHashMap<>();
    private long now;
    private int created;
    private int sets;
    private final int min;

    /** A task at its executor. */
    private record Work(TaskProfile profile, long task, Map<String, ResourceInformation> addresses) {}

    /** An executor: runs as many of its tasks as it has threads, in order. */
    private final class Model {
        private final ExecutorId id = new ExecutorId("e" + created++);
        private final int profile;
        private final int cores;
        private final Map<String, ResourceInformation> resources;
        private final List<Work> tasks = new ArrayList<>(); // the first ones run
        private int threads;

        Model(int profile, int cores, int gpus) {
            this.profile = profile;
            this.cores = cores;
            this.resources = gpus == 0
                    ? Map.of()
                    : Map.of(
                            GPU,
                            new ResourceInformation(
                                    GPU,
                                    IntStream.range(0, gpus)
                                            .mapToObj(String::valueOf)
                                            .toList()));
            this.threads = Math.max(1, cores / cpus(profiles.get(profile)))
                    + (flaw == ProfileFlaw.HAS_TOO_MANY_THREADS ? 1 : 0);
        }

        /** Whether it can hold a task of each profile. */
        boolean holdsAll() {
            return cores == 5
                    && resources.containsKey(GPU)
                    && resources.get(GPU).addresses().size() == 2;
        }

        void launch(Work work) {
            int own = cpus(profiles.get(profile));
            threads = Math.max(threads, cores / own * own / cpus(work.profile));
            tasks.add(work);
        }

        List<Work> running() {
            return tasks.subList(0, Math.min(threads, tasks.size()));
        }

        void check() {
            Map<String, Double> used = new TreeMap<>();
            int usedCores = 0;
            for (Work work : running()) {
                usedCores += cpus(work.profile);
                assertEquals(profile, work.profile.executors(), name + id + " runs a task of another profile");
                double amount = work.profile.needs().amounts().getOrDefault(GPU, 0.0);
                work.addresses
                        .values()
                        .forEach(addresses -> addresses
                                .addresses()
                                .forEach(address -> used.merge(address, Math.min(1, amount), Double::sum)));
                assertEquals(amount > 0, !work.addresses.isEmpty(), name + id + " runs a task without its addresses");
            }
            assertTrue(usedCores <= cores, name + id + " uses " + usedCores + " of " + cores + " cores");
            used.forEach((address, shares) ->
                    assertTrue(shares <= 1 + 1e-6, name + id + " uses address " + address + " " + shares + " times"));
        }
    }

    ProfileWorld(long seed, ProfileFlaw flaw) {
        this.flaw = flaw;
        this.name = "seed " + seed + ": ";
        this.random = new Random(seed);
        this.now = random.nextLong(); // only differences matter
        this.dynamic = random.nextBoolean();
        int cpus = 1 + random.nextInt(2);
        this.min = random.nextInt(2);
        this.profiles = List.of(
                new TaskProfile(0, 0, new TaskNeeds(cpus, Map.of())),
                new TaskProfile(1, dynamic ? 1 : 0, new TaskNeeds(1 + random.nextInt(3), Map.of())),
                new TaskProfile(
                        2,
                        dynamic ? 2 : 0,
                        new TaskNeeds(1, Map.of(GPU, new double[] {0.25, 0.3, 1, 2}[random.nextInt(4)]))));
        Settings settings = Settings.empty()
                .with("world", Map.of("hearth.task.cpus", "" + cpus, "hearth.task.maxFailures", "1000000"));
        PoolTree pools = random.nextBoolean() ? PoolTree.fifo() : PoolTree.fair(List.of());
        this.scheduler = new TaskScheduler(SchedulerSettings.from(settings), pools);
    }

    private static int cpus(TaskProfile profile) {
        return profile.needs().cpus();
    }

    void run() {
        for (int step = 0; step < STORM_STEPS; step++) {
            step(true);
        }
        for (int step = 0; step < CALM_STEPS && !isQuiet(); step++) {
            step(false);
        }
        assertEquals(Set.of(), open.keySet(), name + "every set ends");
        if (dynamic) {
            executors.values().forEach(executor -> assertTrue(executor.tasks.isEmpty(), name + "no task is left"));
            allocations.forEach((profile, allocation) -> {
                assertEquals(min, allocation.wanted(), name + "executors of profile " + profile + " without work");
                assertEquals(min, of(profile).size(), name + "executors of profile " + profile + " without work");
            });
        }
    }

    private boolean isQuiet() {
        return open.isEmpty()
                && unnoticed.isEmpty()
                && (!dynamic
                        || allocations.entrySet().stream()
                                .allMatch(each -> each.getValue().wanted() == min
                                        && of(each.getKey()).size() == min));
    }

    private void step(boolean stormy) {
        now += MILLI * (1 + random.nextInt(STEP_MILLIS_MAX));
        if (stormy && random.nextInt(10) == 0) {
            submit();
        }
        if (stormy && random.nextInt(15) == 0 && !executors.isEmpty()) {
            crash(List.copyOf(executors.values()).get(random.nextInt(executors.size())));
        }
        notice();
        start(stormy);
        executors.values().forEach(this::work);
        settle();
        if (dynamic) {
            allocate();
        }
        executors.values().forEach(Model::check);
    }

    private void submit() {
        TaskProfile profile = profiles.get(random.nextInt(profiles.size()));
        int partitions = 1 + random.nextInt(12);
        TaskProfile planned = flaw == ProfileFlaw.FORGETS_NEEDS && !dynamic
                ? new TaskProfile(profile.id(), 0, profiles.get(0).needs())
                : profile;
        StagePlan plan = new StagePlan(
                StagePlan.RESULT,
                new Pipeline(new Source.Elements(), List.of(), new Sink.Count(), Map.of()),
                PartitionInputs.NONE,
                partitions,
                List.of(),
                PreferredLocations.ANYWHERE,
                false,
                String.valueOf(profile.id()),
                "",
                List.of(),
                false,
                profile.isDefault() ? TaskProfile.DEFAULT : planned);
        TaskSetId id = new TaskSetId(sets, 0);
        TaskSetSpec spec =
                new TaskSetSpec(id, sets++, plan, IntStream.range(0, partitions).toArray(), "", false);
        open.put(id, spec);
        succeeded.put(id, new BitSet());
        scheduler.submit(spec, now);
        count("set of profile " + profile.id() + (dynamic ? "" : " on default executors"));
    }

    private void crash(Model executor) {
        executors.remove(executor.id);
        unnoticed.put(executor.id, now + random.nextInt(2_000) * MILLI);
        count("loss of an executor of profile " + executor.profile);
    }

    private void notice() {
        for (Map.Entry<ExecutorId, Long> lost : List.copyOf(unnoticed.entrySet())) {
            if (now - lost.getValue() >= 0) {
                unnoticed.remove(lost.getKey());
                if (flaw != ProfileFlaw.FORGETS_LOSSES) {
                    scheduler.executorLost(lost.getKey(), LostExecutor.released("it is gone"), now);
                }
            }
        }
    }

    private void start(boolean stormy) {
        if (!dynamic) {
            boolean room = executors.size() < EXECUTORS_MAX && random.nextInt(5) == 0;
            if (stormy && room) {
                up(new Model(0, 2 + random.nextInt(4), random.nextInt(3)));
            } else if (!stormy && executors.values().stream().noneMatch(Model::holdsAll)) {
                up(new Model(0, 5, 2));
            }
            return;
        }
        allocations.forEach((profile, allocation) -> {
            if (of(profile).size() < allocation.wanted() && random.nextInt(3) == 0) {
                up(new Model(profile, profile == 1 ? 4 : 2, profile == 2 ? 2 : 0));
            }
        });
    }

    private void up(Model executor) {
        executors.put(executor.id, executor);
        TaskProfile profile =
                flaw == ProfileFlaw.MIXES_UP_EXECUTORS ? TaskProfile.DEFAULT : profiles.get(executor.profile);
        scheduler.executorUp(
                executor.id,
                "host" + random.nextInt(3),
                executor.cores,
                executor.resources,
                profile.isDefault() ? TaskProfile.DEFAULT : profile,
                now);
    }

    private void work(Model executor) {
        for (Work work : List.copyOf(executor.running())) {
            int chance = random.nextInt(8);
            if (chance < 2) {
                executor.tasks.remove(work);
                TaskEnd end = chance == 0 && random.nextInt(10) == 0
                        ? TaskEnd.ended(
                                work.task, TaskOutcome.FAILED, TaskFailure.of("it went wrong"), TaskMetrics.NONE)
                        : TaskEnd.succeeded(work.task, TaskResult.NONE, TaskMetrics.NONE, List.of());
                scheduler.updated(executor.id, end, now);
            }
        }
    }

    private void settle() {
        boolean more = true;
        while (more) {
            scheduler.settle(now, now / MILLI);
            List<SchedulerEffect> effects = scheduler.drain();
            effects.forEach(this::perform);
            more = !effects.isEmpty();
        }
    }

    private void perform(SchedulerEffect effect) {
        if (effect instanceof SchedulerEffect.Launch launch) {
            Model executor = executors.get(launch.executor());
            LaunchBatch batch = launch.batch();
            TaskProfile profile = profiles.get(Integer.parseInt(batch.plan().name()));
            for (int at = 0; executor != null && at < batch.size(); at++) {
                executor.launch(new Work(profile, batch.task(at), batch.resources(at)));
            }
        } else if (effect instanceof SchedulerEffect.Kill kill) {
            Model executor = executors.get(kill.executor());
            if (executor != null && executor.tasks.removeIf(work -> work.task == kill.task())) {
                scheduler.updated(
                        executor.id,
                        TaskEnd.ended(kill.task(), TaskOutcome.RECALLED, TaskFailure.of("recalled"), TaskMetrics.NONE),
                        now);
                count("recalled task");
            }
        } else if (effect instanceof SchedulerEffect.Succeeded success) {
            BitSet done = succeeded.get(success.set());
            assertTrue(!done.get(success.task().partition()), name + "a partition succeeds twice");
            done.set(success.task().partition());
        } else if (effect instanceof SchedulerEffect.Drained drained) {
            TaskSetSpec spec = open.remove(drained.set());
            assertEquals(
                    spec.partitions().length,
                    succeeded.get(drained.set()).cardinality(),
                    name + "all partitions succeed");
        }
    }

    private void allocate() {
        for (int profile : scheduler.profiles()) {
            ExecutorAllocation allocation = allocations.computeIfAbsent(profile, this::allocation);
            int seenProfile = flaw == ProfileFlaw.SEES_ONE_LOAD ? 0 : profile;
            List<ExecutorActivity> activity = flaw == ProfileFlaw.SEES_ALL_EXECUTORS
                    ? scheduler.profiles().stream()
                            .flatMap(each -> scheduler.executorActivity(each).stream())
                            .toList()
                    : scheduler.executorActivity(profile);
            AllocationDecision decision =
                    allocation.decide(scheduler.load(seenProfile, 0), activity, new NoData(), now);
            assertTrue(
                    min <= decision.wanted() && decision.wanted() <= EXECUTORS_MAX,
                    name + decision.wanted() + " wanted of " + min + " to " + EXECUTORS_MAX);
            for (ExecutorId released : decision.released()) {
                Model executor = executors.remove(released);
                if (executor != null) {
                    assertEquals(profile, executor.profile, name + released + " of another profile is released");
                    assertTrue(executor.tasks.isEmpty(), name + released + " runs tasks and is released");
                    count("idle executor of profile " + profile);
                }
                scheduler.executorLost(released, LostExecutor.released("idle"), now);
            }
        }
    }

    private ExecutorAllocation allocation(int profile) {
        return new ExecutorAllocation(AllocationSettings.from(Settings.empty()
                .with(
                        "world",
                        Map.of(
                                "hearth.dynamicAllocation.minExecutors", "" + min,
                                "hearth.dynamicAllocation.maxExecutors", "" + EXECUTORS_MAX,
                                "hearth.dynamicAllocation.executorIdleTimeout", IDLE_MILLIS + "ms",
                                "hearth.executor.cores", profile == 1 ? "4" : "2",
                                "hearth.task.cpus", "" + cpus(profiles.get(profile))))));
    }

    private Set<ExecutorId> of(int profile) {
        Set<ExecutorId> found = new LinkedHashSet<>();
        executors.values().stream()
                .filter(executor -> executor.profile == profile)
                .forEach(executor -> found.add(executor.id));
        return found;
    }

    private void count(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    /** Executors hold no data. */
    private record NoData() implements ExecutorData {
        @Override
        public boolean holdsBlocks(ExecutorId executor) {
            return false;
        }

        @Override
        public ShuffleUse shuffles(ExecutorId executor) {
            return ShuffleUse.NONE;
        }
    }
}
