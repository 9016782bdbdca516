package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Simulated cluster around one task scheduler in virtual time: executors join, leave, are slow, fail tasks and obey
 * kills; task sets are cancelled. The seed determines everything. Checks each effect against a model; a failure names
 * seed and time.
 */
final class SchedulerWorld implements SchedulerEffect.Handler {
    private static final int EVENTS_MAX = 200_000;
    private static final long MILLI = 1_000_000;
    private static final long DELAY_NANOS_MAX = 300_000;
    private static final int RACK_HOSTS = 7;
    private static final int HOSTS_CHECKED_EVERY = 16; // events

    private final long seed;
    private final SplittableRandom random;
    private final int credit;
    private final boolean speculates;
    private final boolean excludes;
    private final boolean publishesTasks;
    private final TaskScheduler scheduler;
    private final PriorityQueue<TimedEvent> events = new PriorityQueue<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<TaskSetId, TaskSetModel> jobs = new LinkedHashMap<>();
    private final List<TaskSetModel> barriersLaunched = new ArrayList<>(); // by one settling
    private final Set<String> resolved = new LinkedHashSet<>(); // hosts whose racks are known
    private final Set<Long> launched = new LinkedHashSet<>();
    private final Set<Long> ended = new LinkedHashSet<>();
    private final Set<Long> starts = new LinkedHashSet<>(); // attempts whose start was published
    private final Set<Long> recalls = new LinkedHashSet<>(); // recalled attempts that have not ended
    private final Map<String, Integer> seen = new LinkedHashMap<>(); // number of events by kind
    private final int hosts;
    private final AddressModel addresses;
    private int nodesMade;
    private int eventsMade;
    private long now;
    private boolean calm; // no more faults from now on, so that everything can end

    SchedulerWorld(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.credit = random.nextBoolean() ? 0 : 1 + random.nextInt(40);
        this.speculates = random.nextInt(3) == 0;
        this.excludes = random.nextInt(3) == 0;
        this.hosts = 1 + random.nextInt(6);
        List<String> settings = new ArrayList<>(List.of(
                "scheduler.executorCredit", String.valueOf(credit),
                "speculation", String.valueOf(speculates),
                "speculation.quantile", "0.5",
                "speculation.multiplier", "1.5",
                "locality.wait", random.nextInt(200) + "ms",
                "task.maxFailures", String.valueOf(3 + random.nextInt(4)),
                "excludeOnFailure.enabled", String.valueOf(excludes),
                "excludeOnFailure.timeout", "2s",
                "excludeOnFailure.killExcludedExecutors", String.valueOf(random.nextBoolean()),
                "excludeOnFailure.application.fetchFailure.enabled", String.valueOf(random.nextBoolean()),
                "scheduler.excludeOnFailure.unschedulableTaskSetTimeout", "3s"));
        this.addresses = new AddressModel(seed);
        settings.addAll(addresses.settings());
        PoolTree pools = random.nextBoolean()
                ? PoolTree.fifo()
                : PoolTree.fair(List.of(
                        new PoolSpec("heavy", SchedulingMode.FAIR, 3, 2),
                        new PoolSpec("light", SchedulingMode.FIFO, 1, 0)));
        this.scheduler = new TaskScheduler(
                SchedulerFixture.settings(settings.toArray(String[]::new)),
                pools,
                host -> resolved.contains(host) ? rack(host) : Optional.empty());
        resolveRacks();
        this.publishesTasks = random.nextBoolean();
        scheduler.publishTaskStarts(publishesTasks);
        int sets = 1 + random.nextInt(12);
        for (int stage = 0; stage < sets; stage++) {
            int number = stage;
            at(random.nextInt(400) * MILLI, () -> submit(number));
        }
        for (int node = 0; node < hosts; node++) {
            at(random.nextInt(100) * MILLI, this::come);
        }
        at(1_500 * MILLI, () -> calm = true);
    }

    /** Number of events by kind, so that a test can check that each kind occurred. */
    Map<String, Integer> seen() {
        return seen;
    }

    private void saw(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    /** Makes the racks of hosts known: at once, later, or never, as if a resolver was slow or failed. */
    private void resolveRacks() {
        for (int host = 0; host < RACK_HOSTS; host++) {
            String name = "host-" + host;
            int kind = random.nextInt(4); // 0: known at once, 3: never
            if (kind < 3) {
                at(MILLI * kind * random.nextInt(750), () -> {
                    resolved.add(name);
                    scheduler.racksFound(List.of(name));
                });
            }
        }
    }

    private static Optional<String> rack(String host) {
        int number = host.charAt(host.length() - 1) % 3;
        return number == 2 ? Optional.empty() : Optional.of("rack-" + number);
    }

    TaskScheduler scheduler() {
        return scheduler;
    }

    /** A task attempt that a node holds. */
    private static final class Held {
        private final long task;
        private final TaskSetModel job;
        private final int partition;
        private boolean begun;
        private boolean over;

        Held(long task, TaskSetModel job, int partition) {
            this.task = task;
            this.job = job;
            this.partition = partition;
        }
    }

    private static final class Node {
        private final ExecutorId id;
        private final String host;
        private final int cores;
        private final List<Held> held = new ArrayList<>(); // in the order of their launches
        private final Set<StagePlan> plans = Collections.newSetFromMap(new IdentityHashMap<>());
        private int known; // attempts that it holds as far as the scheduler knows
        private int running; // tasks whose start was published, and whose end was not
        private boolean suspended;
        private boolean gone;

        Node(ExecutorId id, String host, int cores) {
            this.id = id;
            this.host = host;
            this.cores = cores;
        }

        boolean hasFreeCore() {
            return freeCores() > 0;
        }

        int freeCores() {
            return gone || suspended ? 0 : Math.max(0, cores - known);
        }
    }

    void run() {
        while (true) {
            settle();
            OptionalLong wake = scheduler.nextWakeNanos();
            TimedEvent next = events.peek();
            if (next == null && (wake.isEmpty() || jobs.values().stream().allMatch(job -> job.drained))) {
                break;
            }
            check(eventsMade < EVENTS_MAX, "does not end: " + describe());
            eventsMade++;
            if (next == null || (wake.isPresent() && wake.getAsLong() < next.at())) {
                now = Math.max(now + 1, wake.getAsLong());
            } else {
                events.poll();
                now = Math.max(now, next.at());
                next.action().run();
            }
        }
        check(jobs.values().stream().allMatch(job -> job.drained), "stands still: " + describe());
        check(launched.equals(ended) && addresses.areFree(), "attempts without an end");
        check(nodes.values().stream().allMatch(node -> node.gone || node.held.isEmpty()), "tasks left on executors");
    }

    private String describe() {
        return "waiting " + scheduler.waitingTasks() + ", held " + scheduler.runningTasks() + ", cores "
                + scheduler.cores() + ", sets " + scheduler.taskSets() + ", credit " + credit + ", speculation "
                + speculates;
    }

    private void settle() {
        scheduler.settle(now, now / MILLI);
        scheduler.drain().forEach(effect -> effect.perform(this));
        for (TaskSetModel job : barriersLaunched) {
            check(job.running.size() == job.spec.partitions().length, "a barrier set launched in part");
        }
        barriersLaunched.clear();
        int pending = jobs.values().stream().mapToInt(TaskSetModel::pending).sum();
        check(scheduler.waitingTasks() == pending, scheduler.waitingTasks() + " tasks wait, not " + pending);
        if (eventsMade % HOSTS_CHECKED_EVERY == 0) {
            checkPreferredHosts();
        }
        for (Node node : nodes.values()) {
            check(node.known <= node.cores * (1 + credit), "executor " + node.id + " holds " + node.known + " tasks");
            check(node.running <= node.cores, "executor " + node.id + " is told to run " + node.running + " tasks");
        }
        if (!excludes && jobs.values().stream().anyMatch(TaskSetModel::takesAnyCore)) {
            check(nodes.values().stream().noneMatch(Node::hasFreeCore), "a core is idle while a task waits for any");
        }
    }

    private void checkPreferredHosts() {
        int tasks = 0;
        Map<String, Integer> byHost = new LinkedHashMap<>();
        for (TaskSetModel job : jobs.values()) {
            for (int partition = 0; job.pending() > 0 && partition < job.attempts.length; partition++) {
                List<String> places = job.spec.plan().placement().preferred(partition);
                if (job.isPending(partition) && !places.isEmpty()) {
                    tasks++;
                    String[] parts = places.get(0).split("_", -1);
                    byHost.merge(parts[parts.length == 1 ? 0 : 1], 1, Integer::sum);
                }
            }
        }
        PreferredHosts found = scheduler.preferredHosts(0);
        check(found.equals(new PreferredHosts(tasks, byHost)), found + " are preferred, not " + tasks + " " + byHost);
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("seed " + seed + ", at " + now + " ns: " + what);
        }
    }

    private void at(long time, Runnable action) {
        events.add(new TimedEvent(time, eventsMade++, action));
    }

    private void after(long delay, Runnable action) {
        at(now + delay, action);
    }

    private long delay() {
        return random.nextInt((int) DELAY_NANOS_MAX);
    }

    private void submit(int stage) {
        int partitions = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(120);
        boolean barrier = random.nextInt(5) == 0;
        if (barrier) {
            partitions = Math.min(partitions, 2);
        }
        int kind = random.nextInt(3);
        PreferredLocations placement = kind == 0
                ? partition -> List.of("host-" + partition % 7)
                : kind == 1
                        ? partition -> partition % 3 == 0
                                ? List.of()
                                : List.of("executor_host-" + partition % hosts + "_" + partition % 9)
                        : PreferredLocations.ANYWHERE;
        String pool = List.of("", "heavy", "light", "new").get(random.nextInt(4));
        StagePlan plan = SchedulerFixture.plan(partitions, placement, barrier);
        TaskSetSpec spec = new TaskSetSpec(
                new TaskSetId(stage, 0),
                random.nextInt(5),
                plan,
                IntStream.range(0, partitions).toArray(),
                pool,
                random.nextBoolean());
        long run = random.nextInt(3) == 0 ? 20_000 : random.nextInt(2) == 0 ? 2 * MILLI : 60 * MILLI;
        jobs.put(spec.id(), new TaskSetModel(spec, run, random.nextInt(3) == 0 ? 12 : random.nextInt(4) == 0 ? 40 : 0));
        scheduler.submit(spec, now);
        if (random.nextInt(5) == 0) {
            after(random.nextInt(300) * MILLI, () -> cancel(spec.id()));
        }
        if (random.nextInt(4) == 0) {
            after(random.nextInt(100) * MILLI, () -> killOne(spec.id()));
        }
    }

    private void cancel(TaskSetId id) {
        TaskSetModel job = jobs.get(id);
        job.ends += job.drained || job.ends > 0 || job.isDone() ? 0 : 1;
        scheduler.cancel(id, random.nextBoolean(), "cancelled by the test");
    }

    private void killOne(TaskSetId id) {
        jobs.get(id).running.keySet().stream()
                .findFirst()
                .ifPresent(task -> check(scheduler.killTask(task, true, "killed by the test"), "no task " + task));
    }

    private void come() {
        String id = String.valueOf(nodesMade++);
        Node node = new Node(new ExecutorId(id), "host-" + random.nextInt(hosts), 2 + random.nextInt(3));
        nodes.put(id, node);
        scheduler.executorUp(
                node.id,
                node.host,
                addresses.cores(node.cores),
                addresses.up(node.id, node.cores),
                TaskProfile.DEFAULT,
                now);
        if (!calm && random.nextInt(4) == 0) {
            after(random.nextInt(800) * MILLI, () -> go(node, "crashed"));
        }
        if (!calm && random.nextInt(8) == 0) {
            after(random.nextInt(500) * MILLI, () -> {
                node.suspended = true;
                scheduler.suspend(node.id);
            });
            after(random.nextInt(500) * MILLI + 500 * MILLI, () -> go(node, "suspended first"));
        }
    }

    private void go(Node node, String reason) {
        if (node.gone) {
            return;
        }
        node.gone = true;
        node.held.forEach(held -> held.over = true);
        node.held.clear();
        LostExecutor why = new LostExecutor(
                random.nextBoolean() ? LostExecutor.Cause.FAILED : LostExecutor.Cause.PREEMPTED,
                reason,
                OptionalInt.empty(),
                List.of());
        scheduler.executorLost(node.id, why, now);
        after(random.nextInt(100) * MILLI, this::come);
    }

    /** Starts queued tasks on free cores and schedules their ends, with random outcomes. */
    private void work(Node node) {
        int begun = (int) node.held.stream().filter(held -> held.begun).count();
        for (Held held : node.held) {
            if (!held.begun && begun < node.cores) {
                held.begun = true;
                begun++;
                boolean slow = !calm && random.nextInt(25) == 0;
                long run = held.job.runNanos / 2 + (long) (random.nextDouble() * held.job.runNanos * (slow ? 20 : 1));
                after(run, () -> end(node, held, outcome(held), run));
            }
        }
    }

    private TaskOutcome outcome(Held held) {
        if (calm || random.nextInt(100) >= held.job.badPercent) {
            return TaskOutcome.SUCCEEDED;
        }
        return switch (random.nextInt(8)) {
            case 0 -> TaskOutcome.FETCH_FAILED;
            case 1 -> TaskOutcome.COMMIT_DENIED;
            default -> TaskOutcome.FAILED;
        };
    }

    private void end(Node node, Held held, TaskOutcome outcome, long run) {
        if (held.over) {
            return;
        }
        held.over = true;
        node.held.remove(held);
        TaskMetrics metrics = new TaskMetrics(run, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        TaskFailure failure = TaskFailure.of("seeded");
        TaskEnd end = switch (outcome) {
            case SUCCEEDED ->
                TaskEnd.succeeded(held.task, new TaskResult.Shared(held.partition, 8), metrics, List.of());
            case FETCH_FAILED ->
                TaskEnd.fetchFailed(
                        held.task, new FetchFailure(1, 0, Optional.of(node.id), node.host, "seeded"), failure, metrics);
            default -> TaskEnd.ended(held.task, outcome, failure, metrics);
        };
        work(node);
        after(delay(), () -> {
            node.known--;
            scheduler.updated(node.id, end, now);
            if (random.nextInt(20) == 0) {
                scheduler.updated(node.id, end, now); // a duplicate report
            }
        });
    }

    private Node node(ExecutorId id) {
        return nodes.get(id.value());
    }

    @Override
    public void onDefine(SchedulerEffect.Define effect) {
        check(node(effect.executor()).plans.add(effect.plan()), "defined twice on " + effect.executor());
    }

    @Override
    public void onForget(SchedulerEffect.Forget effect) {
        check(node(effect.executor()).plans.remove(effect.plan()), "forgotten unknown on " + effect.executor());
    }

    @Override
    public void onLaunch(SchedulerEffect.Launch effect) {
        Node node = node(effect.executor());
        LaunchBatch batch = effect.batch();
        check(!node.gone, "launched on " + node.id + ", which is gone");
        check(node.plans.contains(batch.plan()), "launched before defined on " + node.id);
        TaskSetModel job = jobs.get(new TaskSetId(batch.stage(), batch.stageAttempt()));
        check(!job.drained && !job.frozen && job.ends == 0, "launched of a set that is over");
        for (int index = 0; index < batch.size(); index++) {
            check(launched.add(batch.task(index)), "task " + batch.task(index) + " launched twice");
            check(!job.succeeded.contains(batch.partition(index)), "a partition that is done launched again");
            job.launch(batch.task(index), batch.partition(index));
            node.known++;
            addresses.launched(node.id, batch.task(index), batch.resources(index));
            node.held.add(new Held(batch.task(index), job, batch.partition(index)));
        }
        if (job.spec.plan().barrier()) {
            barriersLaunched.add(job);
            check(node.held.size() <= node.cores, "a barrier set queued");
        }
        if (node.held.size() > node.cores) {
            saw("queued");
        }
        work(node);
    }

    @Override
    public void onKill(SchedulerEffect.Kill effect) {
        Node node = node(effect.executor());
        check(!node.gone, "killed on " + node.id + ", which is gone");
        if (effect.kind() == KillKind.RECALL) {
            check(recalls.add(effect.task()), "task " + effect.task() + " recalled twice");
            check(recalls.size() <= freeCores(), "more recalls than free cores: " + recalls.size());
        }
        after(delay(), () -> {
            for (Held held : List.copyOf(node.held)) {
                if (held.task == effect.task() && effect.kind() == KillKind.RECALL) {
                    if (!held.begun) {
                        end(node, held, TaskOutcome.RECALLED, 0);
                    }
                } else if (held.task == effect.task()) {
                    end(node, held, TaskOutcome.KILLED, 0);
                }
            }
        });
    }

    @Override
    public void onSucceeded(SchedulerEffect.Succeeded effect) {
        saw("Succeeded " + effect.task().locality() + (effect.task().speculative() ? " copy" : ""));
        TaskSetModel job = finish(effect.set(), effect.task(), effect.end());
        check(job.ends == 0, "a success of a set that is over");
        check(
                job.succeed(effect.task().partition()),
                "partition " + effect.task().partition() + " twice");
    }

    @Override
    public void onEnded(SchedulerEffect.Ended effect) {
        saw(effect.end().outcome() + (effect.task().speculative() ? " copy" : ""));
        finish(effect.set(), effect.task(), effect.end());
    }

    @Override
    public void onFetchFailed(SchedulerEffect.FetchFailed effect) {
        saw("FetchFailed");
        finish(effect.set(), effect.task(), effect.end()).frozen = true;
    }

    private TaskSetModel finish(TaskSetId set, TaskInfo task, TaskEnd end) {
        TaskSetModel job = jobs.get(set);
        if (publishesTasks) {
            check(starts.remove(end.task()), "task " + end.task() + " ended before its start was told");
            nodes.get(task.executor()).running--;
        } else {
            check(--job.started >= 0, "set " + set + ": more ends than starts told");
        }
        check(launched.contains(end.task()), "task " + end.task() + " ended unlaunched");
        check(ended.add(end.task()), "task " + end.task() + " ended twice");
        check(!job.drained, "set " + set + ": task after the last word");
        job.end(end.task());
        addresses.ended(end.task());
        recalls.remove(end.task());
        return job;
    }

    private int freeCores() {
        return nodes.values().stream().mapToInt(Node::freeCores).sum();
    }

    @Override
    public void onSetFailed(SchedulerEffect.SetFailed effect) {
        saw("SetFailed " + effect.failure().code());
        over(effect.set());
    }

    @Override
    public void onBarrierBroken(SchedulerEffect.BarrierBroken effect) {
        saw("BarrierBroken");
        check(jobs.get(effect.set()).spec.plan().barrier(), "a plain set broken");
        over(effect.set());
    }

    private void over(TaskSetId set) {
        TaskSetModel job = jobs.get(set);
        check(!job.drained && !job.isDone() && job.ends == 0, "set " + set + " ended twice");
        job.ends++;
    }

    @Override
    public void onDrained(SchedulerEffect.Drained effect) {
        TaskSetModel job = jobs.get(effect.set());
        check(!job.drained, "set " + effect.set() + " drained twice");
        check(job.running.isEmpty(), "set " + effect.set() + " drained while it runs");
        check(job.frozen || job.ends == 1 || job.isDone(), "set " + effect.set() + " drained without an end");
        job.drained = true;
    }

    @Override
    public void onExcludeHosts(SchedulerEffect.ExcludeHosts effect) {
        check(effect.hosts().size() <= hosts, "more hosts excluded than there are");
    }

    @Override
    public void onReleaseExecutor(SchedulerEffect.ReleaseExecutor effect) {
        saw("GiveBack");
        Node node = node(effect.executor());
        after(delay(), () -> {
            boolean known = !node.gone;
            node.gone = true;
            node.held.forEach(held -> held.over = true);
            node.held.clear();
            if (known) {
                scheduler.executorLost(node.id, LostExecutor.released(effect.reason()), now);
                after(random.nextInt(100) * MILLI, this::come);
            }
        });
    }

    @Override
    public void onPublishEvent(SchedulerEffect.PublishEvent effect) {
        saw(effect.event().getClass().getSimpleName());
        check(effect.event().atMillis() <= now / MILLI, "published before it happened");
        if (effect.event() instanceof ApplicationEvent.TaskStarted start) {
            check(
                    publishesTasks && launched.contains(start.task().task()),
                    "published the start of an unknown attempt");
            check(starts.add(start.task().task()), "published a start twice");
            nodes.get(start.task().executor()).running++;
        }
    }

    @Override
    public void onStarted(SchedulerEffect.Started effect) {
        check(!publishesTasks && effect.tasks() > 0, "starts by their number");
        jobs.get(effect.set()).started += effect.tasks();
    }
}
