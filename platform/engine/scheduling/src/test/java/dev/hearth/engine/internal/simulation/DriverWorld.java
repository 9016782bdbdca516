package dev.hearth.engine.internal.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.barrier.BarrierAnswer;
import dev.hearth.engine.internal.barrier.BarrierCall;
import dev.hearth.engine.internal.barrier.BarrierCoordinator;
import dev.hearth.engine.internal.commit.OutputCommitCoordinator;
import dev.hearth.engine.internal.dag.DagScheduler;
import dev.hearth.engine.internal.dag.DagSettings;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.dag.Moment;
import dev.hearth.engine.internal.dag.OutputLoss;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.resource.TaskNeeds;
import dev.hearth.engine.internal.scheduler.ExclusionSettings;
import dev.hearth.engine.internal.scheduler.LocalitySettings;
import dev.hearth.engine.internal.scheduler.PoolTree;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.SchedulingMode;
import dev.hearth.engine.internal.scheduler.SpeculationSettings;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A driver of both schedulers, commits and barriers, with model executors. Faults occur for a while. After the last
 * fault all jobs must end, each with the right result or a documented failure, and no state may be left over.
 */
final class DriverWorld implements ModelExecutor.Surroundings {
    private static final Duration STORM = Duration.ofSeconds(20);
    private static final Duration CALM = Duration.ofHours(2);
    private static final Duration LOSS_NOTICED_MAX = Duration.ofSeconds(3);
    private static final int AT_ONCE_MILLIS_MAX = 20;
    private static final int LAST_WORDS = 200; // an executor dies after one report of a task's end in this many
    private static final int TURN_MILLIS_MAX = 5;
    private static final int JOBS = 20;
    private static final int EXECUTORS = 4;
    private static final int HOSTS = 3;
    private static final int STAGE_FAILURES_MAX = 4;
    private static final Duration SECOND = Duration.ofSeconds(1);

    final Simulation simulation;
    final Ledger ledger;
    final TaskScheduler tasks;
    final DagScheduler dag;
    final OutputCommitCoordinator commits = new OutputCommitCoordinator();
    final BarrierCoordinator rounds = new BarrierCoordinator(Duration.ofMinutes(1));
    final DriverFlaw flaw;
    final boolean speculation;
    final Map<ExecutorId, ModelExecutor> executors = new LinkedHashMap<>();

    private final RandomGenerator random;
    private final ModelJobs jobs;
    private final DriverEffects effects;
    private final Set<String> lost = new LinkedHashSet<>();
    private final Set<ModelExecutor> leaving = new LinkedHashSet<>();
    private final Map<Long, ModelExecutor> barriers = new LinkedHashMap<>();
    private final Set<Integer> shuffles = new LinkedHashSet<>();
    private final Set<String> groups = new LinkedHashSet<>(); // groups cancelled with their future jobs
    private final int credit;
    private final int trouble; // failing tasks per thousand
    private EventLoop.@Nullable Timeout wake;
    private boolean stormy = true;
    private boolean probing;
    private boolean turning;
    private final boolean committing;
    private int executorsMade;
    private int submitted;
    private int stayed;

    DriverWorld(long seed, DriverFlaw flaw) {
        this.flaw = flaw;
        simulation = new Simulation(seed);
        random = simulation.random();
        jobs = new ModelJobs(random);
        int taskFailuresMax = 2 + random.nextInt(3);
        ledger = new Ledger(jobs, taskFailuresMax, STAGE_FAILURES_MAX);
        credit = random.nextBoolean() ? 0 : 4;
        speculation = random.nextBoolean();
        committing = random.nextBoolean();
        trouble = new int[] {0, 10, 50, 150}[random.nextInt(4)];
        tasks = new TaskScheduler(settings(taskFailuresMax), pools());
        dag = new DagScheduler(new DagSettings(
                STAGE_FAILURES_MAX, Integer.MAX_VALUE, random.nextInt(4) == 0, 10, SECOND, 1, Duration.ofMinutes(1)));
        effects = new DriverEffects(this);
    }

    private PoolTree pools() {
        return random.nextBoolean() ? PoolTree.fifo() : PoolTree.fair(List.of());
    }

    private SchedulerSettings settings(int taskFailuresMax) {
        long millis = 1_000_000;
        return new SchedulerSettings(
                taskFailuresMax,
                0,
                SchedulingMode.FIFO,
                Optional.empty(),
                credit,
                false,
                new LocalitySettings(100 * millis, 100 * millis, 100 * millis, false),
                new SpeculationSettings(
                        speculation, 100 * millis, 1.5, 0.5, 100 * millis, OptionalLong.empty(), false, 0.75, 2),
                new ExclusionSettings(
                        false, false, 1, 2, 2, 2, 2, 2, Duration.ofHours(1).toNanos(), false, false, 0),
                TaskNeeds.ONE_CORE);
    }

    void run() {
        for (int i = 1 + random.nextInt(EXECUTORS); i > 0; i--) {
            join();
        }
        for (int i = 0; i < JOBS; i++) {
            simulation.schedule(upTo(STORM), this::submit);
        }
        EventLoop.Timeout storm = simulation.every(Duration.ofMillis(250), this::happen);
        simulation.runFor(STORM);
        storm.cancel();
        stormy = false;
        for (int alive = alive().size(); alive < EXECUTORS; alive++) {
            join();
        }
        simulation.runUntil(ledger::allJobsEnded, CALM);
        simulation.runFor(Duration.ofMinutes(10)); // killed tasks that ignore the kill end by themselves
        probe();
        requireIdle();
    }

    /** No slot is lost: as many tasks as there are cores run at the same time. */
    private void probe() {
        requireIdle();
        probing = true;
        int cores = alive().stream().mapToInt(ModelExecutor::cores).sum();
        JobSpec probe = jobs.plain(cores);
        if (isCancelled(probe)) {
            return;
        }
        ledger.submitted(probe);
        dag.submit(probe, now());
        turn();
        simulation.runFor(Duration.ofSeconds(2));
        simulation.require(
                "no slot is lost",
                () -> alive().stream().mapToInt(ModelExecutor::runningTasks).sum() == cores);
        simulation.runUntil(ledger::allJobsEnded, CALM);
        simulation.runFor(Duration.ofMinutes(1));
    }

    private boolean isCancelled(JobSpec probe) {
        return probe.group().filter(groups::contains).isPresent();
    }

    private void requireIdle() {
        simulation.require("all has ended as it should", () -> {
            ledger.close();
            assertEquals(0, dag.activeJobs(), "no job is left");
            assertEquals(0, tasks.taskSets(), "no task set is left");
            assertEquals(0, tasks.runningTasks(), "no attempt is left");
            assertEquals(OptionalLong.empty(), dag.nextWakeNanos(), "nothing is waited for");
            assertEquals(OptionalLong.empty(), rounds.nextWakeNanos(), "no task waits at a barrier");
            alive().forEach(executor -> assertEquals(0, executor.runningTasks() + executor.queuedTasks()));
            return true;
        });
    }

    private Duration upTo(Duration most) {
        return Duration.ofMillis(random.nextLong(most.toMillis()));
    }

    Moment now() {
        return new Moment(
                simulation.ticker().nanos(), simulation.ticker().wall().toEpochMilli());
    }

    private List<ModelExecutor> alive() {
        return executors.values().stream().filter(ModelExecutor::isAlive).toList();
    }

    private void submit() {
        JobSpec job = jobs.next();
        submitted++;
        job.plan().stages().forEach(stage -> shuffles.add(stage.shuffle()));
        ledger.submitted(job);
        if (isCancelled(job)) {
            ledger.cancelling(Set.of(job.id()));
        }
        simulation.note("job " + job.id() + " is submitted");
        dag.submit(job, now());
        turnSoon();
    }

    private void join() {
        ExecutorId id = new ExecutorId("e" + executorsMade);
        String host = "host" + executorsMade++ % HOSTS;
        ModelExecutor executor = new ModelExecutor(id, host, 1 + random.nextInt(3), simulation, this);
        executors.put(id, executor);
        tasks.executorUp(id, host, executor.cores(), now().nanos());
        dag.slots(tasks.cores(), now());
        turnSoon();
    }

    /** Injects a random fault or cancellation. */
    private void happen() {
        int chance = random.nextInt(100);
        List<ModelExecutor> alive = alive();
        if (chance < 8 && !alive.isEmpty()) {
            crash(alive.get(random.nextInt(alive.size())), OptionalInt.empty());
        } else if (chance < 10 && !alive.isEmpty()) {
            String host = alive.get(random.nextInt(alive.size())).host();
            int noticed = random.nextInt((int) LOSS_NOTICED_MAX.toMillis());
            alive.stream()
                    .filter(each -> each.host().equals(host))
                    .forEach(each -> crash(each, OptionalInt.of(noticed)));
        } else if (chance < 18 && alive.size() < EXECUTORS + 2) {
            join();
        } else if (chance < 22 && !alive.isEmpty()) {
            alive.get(random.nextInt(alive.size())).dropBlocks();
        } else if (chance < 27 && submitted > 0) {
            cancel();
        } else if (chance < 30) {
            tasks.killTask(random.nextInt(200), random.nextBoolean(), "killed by the test");
            turnSoon();
        } else if (chance < 31) {
            forget();
        } else if (chance < 34 && !alive.isEmpty()) {
            leave(alive.get(random.nextInt(alive.size())));
        } else if (chance < 38) {
            leaving.stream().filter(ModelExecutor::isAlive).findFirst().ifPresent(this::stay);
        }
    }

    /** Decommissions an executor: it gets no further tasks, and is lost once it runs none. */
    private void leave(ModelExecutor executor) {
        simulation.note(executor.id() + " leaves");
        leaving.add(executor);
        dag.executorDecommissioned(executor.id());
        tasks.decommission(executor.id());
        turnSoon();
    }

    /** Withdraws the decommissioning of an executor: it gets tasks again. */
    private void stay(ModelExecutor executor) {
        simulation.note(executor.id() + " stays");
        leaving.remove(executor);
        stayed++;
        dag.executorRecommissioned(executor.id());
        if (flaw != DriverFlaw.FORGETS_STAYING) {
            tasks.recommission(executor.id());
        }
        turnSoon();
    }

    /** Number of executors that left and then stayed. */
    int stayed() {
        return stayed;
    }

    private void lookAtLeavers() {
        for (ModelExecutor executor : List.copyOf(leaving)) {
            if (!executor.isAlive()) {
                leaving.remove(executor);
            } else if (!tasks.isBusy(executor.id())) {
                leaving.remove(executor);
                executor.crash();
                lost(executor, OutputLoss.OF_THE_EXECUTOR, LostExecutor.of(Cause.DECOMMISSIONED, "decommissioned"));
            }
        }
    }

    private void forget() {
        int shuffle = jobs.forget();
        simulation.note("shuffle " + shuffle + " is forgotten");
        dag.forgetShuffle(shuffle);
        turnSoon();
    }

    private void cancel() {
        int id = random.nextInt(submitted);
        JobSpec job = ledger.job(id);
        String group = job.group().orElse("none");
        Set<Integer> meant = new LinkedHashSet<>();
        for (int each = 0; each < submitted; each++) {
            meant.add(each); // a superset of the cancelled jobs
        }
        ledger.cancelling(meant);
        switch (random.nextInt(5)) {
            case 0 -> dag.cancelJob(id, "enough", now());
            case 1 -> dag.cancelTag(job.tags().isEmpty() ? "none" : job.tags().get(0), "enough", now());
            case 2 -> dag.cancelStage(random.nextInt(20), "enough", now());
            case 3 -> dag.cancelGroup(group, "enough", false, now());
            default -> {
                if (random.nextInt(4) == 0) {
                    groups.add(group);
                    dag.cancelGroup(group, "enough", true, now());
                }
            }
        }
        turnSoon();
    }

    private void crash(ModelExecutor executor, OptionalInt noticedMillis) {
        simulation.note(executor.id() + " dies");
        executor.crash();
        int noticed = noticedMillis.orElseGet(
                () -> random.nextInt(random.nextBoolean() ? AT_ONCE_MILLIS_MAX : (int) LOSS_NOTICED_MAX.toMillis()));
        simulation.schedule(Duration.ofMillis(noticed), () -> lost(executor, noticedMillis.isPresent()));
    }

    private void lost(ModelExecutor executor, boolean host) {
        LostExecutor why = random.nextBoolean() ? LostExecutor.because("it died") : LostExecutor.released("taken away");
        lost(executor, host ? OutputLoss.OF_THE_HOST : OutputLoss.OF_THE_EXECUTOR, why);
    }

    private void lost(ModelExecutor executor, OutputLoss outputs, LostExecutor why) {
        lost.add(executor.id().value());
        if (flaw != DriverFlaw.KEEPS_LOST_OUTPUTS) {
            dag.executorLost(
                    executor.id(), executor.host(), outputs, why.cause().chargesTasks(), now());
        }
        tasks.executorLost(executor.id(), why, now().nanos());
        dag.slots(tasks.cores(), now());
        turnSoon();
    }

    /** Schedules a {@link #turn} soon: a driver handles a burst of events in one turn. */
    private void turnSoon() {
        if (!turning) {
            turning = true;
            simulation.schedule(Duration.ofMillis(random.nextInt(TURN_MILLIS_MAX)), this::turn);
        }
    }

    /** Performs the effects of both schedulers until there are none, then sets the timer for their next deadline. */
    private void turn() {
        turning = false;
        lookAtLeavers();
        boolean busy = true;
        while (busy) {
            tasks.settle(now().nanos(), now().millis());
            List<SchedulerEffect> fromTasks = tasks.drain();
            fromTasks.forEach(effect -> effect.perform(effects));
            var fromDag = dag.drain();
            fromDag.forEach(effect -> effect.perform(effects));
            List<BarrierAnswer> answers = rounds.drain();
            answers.forEach(this::answer);
            busy = !fromTasks.isEmpty() || !fromDag.isEmpty() || !answers.isEmpty();
        }
        for (int shuffle : shuffles) {
            outputs(shuffle)
                    .forEach(place -> place.ifPresent(output -> assertTrue(
                            !lost.contains(output.executor().value()), "no output is registered on a lost executor")));
        }
        sleep();
    }

    private void sleep() {
        if (wake != null) {
            wake.cancel();
        }
        List<Long> wishes = new ArrayList<>();
        tasks.nextWakeNanos().ifPresent(wishes::add);
        rounds.nextWakeNanos().ifPresent(wishes::add);
        if (flaw != DriverFlaw.SLEEPS) {
            dag.nextWakeNanos().ifPresent(wishes::add);
        }
        long now = simulation.ticker().nanos();
        wishes.stream()
                .min((a, b) -> Long.compare(a - now, b - now))
                .ifPresent(next -> wake = simulation.schedule(Duration.ofNanos(Math.max(0, next - now)), () -> {
                    if (flaw != DriverFlaw.SLEEPS) {
                        dag.tick(now());
                    }
                    rounds.tick(now().nanos());
                    turn();
                }));
    }

    private void answer(BarrierAnswer answer) {
        ModelExecutor executor = barriers.remove(answer.request());
        if (executor != null) {
            executor.barrier(
                    answer.request(),
                    answer instanceof BarrierAnswer.Refused refused
                            ? Optional.of(refused.failure())
                            : Optional.empty());
        }
    }

    @Override
    public void ended(ModelExecutor from, TaskEnd end) {
        boolean hidden = flaw == DriverFlaw.LOSES_ENDS_OF_KILLED && end.outcome() == TaskOutcome.KILLED;
        if (!hidden) {
            tasks.updated(from.id(), end, now().nanos());
            turnSoon();
            if (stormy && from.isAlive() && random.nextInt(LAST_WORDS) == 0) {
                simulation.note(from.id() + " dies of its last words");
                from.crash();
                lost(from, false);
            }
        }
    }

    @Override
    public boolean mayCommit(TaskSetId set, int partition, int attempt) {
        return flaw == DriverFlaw.LETS_ALL_PUBLISH || commits.mayCommit(set, partition, attempt);
    }

    @Override
    public void publish(StagePlan plan, TaskSetId set, int partition, long task) {
        ledger.publish(set, partition, task);
    }

    @Override
    public void barrier(ModelExecutor from, TaskSetId set, int partition, long task) {
        barriers.put(task, from);
        rounds.call(new BarrierCall(task, set, partition, BarrierCall.Kind.BARRIER, ""), now().nanos());
        turnSoon();
    }

    @Override
    public List<Optional<MapOutputLocation>> outputs(int shuffle) {
        return dag.mapOutputLocations(shuffle).stream()
                .flatMap(places -> IntStream.range(0, places.maps()).mapToObj(places::holder))
                .toList();
    }

    @Override
    public @Nullable ModelExecutor executor(ExecutorId id) {
        return executors.get(id);
    }

    @Override
    public Optional<Long> cached(StagePlan plan, int partition) {
        return plan.covered() && random.nextInt(4) > 0 // the cached block may be evicted by now
                ? Optional.of(jobs.expected(plan, partition))
                : Optional.empty();
    }

    @Override
    public ModelExecutor.Fate fate(StagePlan plan) {
        if (probing) {
            return new ModelExecutor.Fate(Duration.ofSeconds(10), false, false, false, false);
        }
        boolean slow = stormy && random.nextInt(20) == 0;
        Duration takes = slow ? upTo(Duration.ofSeconds(10)) : Duration.ofMillis(1L + random.nextInt(400));
        return new ModelExecutor.Fate(
                takes,
                stormy && random.nextInt(1_000) < trouble,
                stormy && random.nextInt(1_000) < trouble,
                random.nextInt(5) == 0,
                committing && plan.isResult() && !plan.barrier());
    }
}
