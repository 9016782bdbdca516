package dev.hearth.engine.internal.simulation;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Model of one executor: takes launches, runs as many tasks as it has cores, stores map outputs, and may die. */
final class ModelExecutor {
    private static final int MESSAGE_MILLIS_MAX = 20;

    private final ExecutorId id;
    private final String host;
    private final int cores;
    private final Simulation simulation;
    private final Surroundings driver;
    private final Deque<Task> queue = new ArrayDeque<>();
    private final Map<Long, Task> running = new LinkedHashMap<>();
    private final Map<String, Long> blocks = new LinkedHashMap<>();
    private long inboxNanos = Long.MIN_VALUE;
    private long outboxNanos = Long.MIN_VALUE;
    private boolean alive = true;

    ModelExecutor(ExecutorId id, String host, int cores, Simulation simulation, Surroundings driver) {
        this.id = id;
        this.host = host;
        this.cores = cores;
        this.simulation = simulation;
        this.driver = driver;
    }

    /** The driver and the other executors as seen by this one. */
    interface Surroundings {
        void ended(ModelExecutor from, TaskEnd end);

        boolean mayCommit(TaskSetId set, int partition, int attempt);

        /** Publishes the output of a task that may commit. */
        void publish(StagePlan plan, TaskSetId set, int partition, long task);

        /** Enters a barrier. The answer comes through {@link ModelExecutor#barrier}. */
        void barrier(ModelExecutor from, TaskSetId set, int partition, long task);

        List<Optional<MapOutputLocation>> outputs(int shuffle);

        @Nullable
        ModelExecutor executor(ExecutorId id);

        /** Value of a cached partition, which the task reads in place of its parents. */
        Optional<Long> cached(StagePlan plan, int partition);

        /** The fate of the next task. */
        Fate fate(StagePlan plan);
    }

    /** Predetermined course of a task. A {@code deaf} one ignores a kill. */
    record Fate(Duration takes, boolean fails, boolean readsBadly, boolean deaf, boolean commits) {}

    private static final class Task {
        private final StagePlan plan;
        private final TaskSetId set;
        private final long id;
        private final int partition;
        private final int attempt;
        private EventLoop.@Nullable Timeout end;

        Task(LaunchBatch batch, int index) {
            plan = batch.plan();
            set = new TaskSetId(batch.stage(), batch.stageAttempt());
            id = batch.task(index);
            partition = batch.partition(index);
            attempt = batch.attempt(index);
        }
    }

    ExecutorId id() {
        return id;
    }

    String host() {
        return host;
    }

    int cores() {
        return cores;
    }

    boolean isAlive() {
        return alive;
    }

    int runningTasks() {
        return running.size();
    }

    int queuedTasks() {
        return queue.size();
    }

    private void inOrder(boolean in, Runnable action) {
        long delay = Duration.ofMillis(1L + simulation.random().nextInt(MESSAGE_MILLIS_MAX))
                .toNanos();
        long now = simulation.ticker().nanos();
        long at = Math.max(in ? inboxNanos : outboxNanos, now + delay);
        if (in) {
            inboxNanos = at;
        } else {
            outboxNanos = at;
        }
        simulation.schedule(Duration.ofNanos(at - now), action);
    }

    void send(LaunchBatch batch) {
        inOrder(true, () -> {
            for (int i = 0; alive && i < batch.size(); i++) {
                queue.add(new Task(batch, i));
            }
            fill();
        });
    }

    void kill(long task, KillKind kind, String reason) {
        inOrder(true, () -> {
            Task queued =
                    queue.stream().filter(each -> each.id == task).findFirst().orElse(null);
            Task begun = running.get(task);
            if (queued != null) {
                queue.remove(queued);
                end(queued, TaskEnd.ended(task, TaskOutcome.RECALLED, TaskFailure.NONE, TaskMetrics.NONE));
            } else if (begun != null && kind != KillKind.RECALL) {
                if (!driver.fate(begun.plan).deaf()) {
                    stop(begun);
                    end(begun, TaskEnd.ended(task, TaskOutcome.KILLED, TaskFailure.of(reason), TaskMetrics.NONE));
                }
            }
        });
    }

    /** Handles the answer to a barrier call. */
    void barrier(long task, Optional<HearthException> failure) {
        inOrder(true, () -> {
            Task waiting = running.get(task);
            if (waiting != null && failure.isPresent()) {
                stop(waiting);
                fail(waiting, String.valueOf(failure.get().getMessage()));
            } else if (waiting != null) {
                later(waiting, Duration.ofMillis(1), () -> finish(waiting, driver.fate(waiting.plan)));
            }
        });
    }

    void crash() {
        alive = false;
        queue.clear();
        List.copyOf(running.values()).forEach(this::stop);
        blocks.clear();
    }

    /** Loses all stored map outputs, as after a disk failure. */
    void dropBlocks() {
        blocks.clear();
    }

    private void fill() {
        while (alive && running.size() < cores && !queue.isEmpty()) {
            Task task = queue.remove();
            running.put(task.id, task);
            begin(task);
        }
    }

    private void begin(Task task) {
        Fate fate = driver.fate(task.plan);
        if (task.plan.barrier()) {
            later(task, fate.takes(), () -> {
                if (fate.fails()) {
                    fail(task, "boom before the barrier");
                } else {
                    inOrder(false, () -> driver.barrier(this, task.set, task.partition, task.id));
                }
            });
        } else {
            later(task, fate.takes(), () -> finish(task, fate));
        }
    }

    private void later(Task task, Duration delay, Runnable action) {
        task.end = simulation.schedule(delay, () -> {
            if (running.containsKey(task.id)) {
                action.run();
            }
        });
    }

    private void finish(Task task, Fate fate) {
        List<long[]> read = new ArrayList<>();
        Optional<Long> cached = driver.cached(task.plan, task.partition);
        for (int shuffle : cached.isPresent() ? List.<Integer>of() : task.plan.parents()) {
            Optional<FetchFailure> failure = read(shuffle, fate.readsBadly(), read);
            if (failure.isPresent()) {
                TaskFailure text = TaskFailure.of(failure.get().reason());
                end(task, TaskEnd.fetchFailed(task.id, failure.get(), text, TaskMetrics.NONE));
                return;
            }
        }
        if (fate.fails()) {
            fail(task, "boom");
            return;
        }
        if (fate.commits() && !driver.mayCommit(task.set, task.partition, task.attempt)) {
            end(task, TaskEnd.ended(task.id, TaskOutcome.COMMIT_DENIED, TaskFailure.NONE, TaskMetrics.NONE));
        } else if (fate.commits()) {
            later(task, fate.takes(), () -> publish(task, fate, cached, read)); // long enough for other attempts to ask
        } else {
            succeed(task, fate, cached, read);
        }
    }

    private void publish(Task task, Fate fate, Optional<Long> cached, List<long[]> read) {
        if (fate.readsBadly()) {
            fail(task, "boom while publishing");
        } else {
            driver.publish(task.plan, task.set, task.partition, task.id);
            succeed(task, fate, cached, read);
        }
    }

    private void succeed(Task task, Fate fate, Optional<Long> cached, List<long[]> read) {
        long value = cached.orElseGet(() -> ModelJobs.value(task.plan, task.partition, read));
        if (!task.plan.isResult()) {
            blocks.put(block(task.plan.shuffle(), task.partition), value);
        }
        TaskMetrics metrics = new TaskMetrics(fate.takes().toNanos(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        end(task, TaskEnd.succeeded(task.id, new TaskResult.Shared(value, 8), metrics, List.of()));
    }

    private Optional<FetchFailure> read(int shuffle, boolean badly, List<long[]> into) {
        List<Optional<MapOutputLocation>> places = driver.outputs(shuffle);
        long[] values = new long[places.size()];
        for (int map = 0; map < values.length; map++) {
            if (places.get(map).isEmpty()) {
                return Optional.of(new FetchFailure(shuffle, map, Optional.empty(), "", "no location is known"));
            }
            MapOutputLocation place = places.get(map).get();
            ModelExecutor holder = driver.executor(place.executor());
            Long value = holder == null || !holder.alive ? null : holder.blocks.get(block(shuffle, map));
            if (value == null || badly) {
                return Optional.of(
                        new FetchFailure(shuffle, map, Optional.of(place.executor()), place.host(), "no answer"));
            }
            values[map] = value;
        }
        into.add(values);
        return Optional.empty();
    }

    private static String block(int shuffle, int map) {
        return shuffle + "/" + map;
    }

    private void fail(Task task, String why) {
        end(task, TaskEnd.ended(task.id, TaskOutcome.FAILED, TaskFailure.of(why), TaskMetrics.NONE));
    }

    private void stop(Task task) {
        if (task.end != null) {
            task.end.cancel();
        }
        running.remove(task.id);
    }

    private void end(Task task, TaskEnd how) {
        running.remove(task.id);
        inOrder(false, () -> driver.ended(this, how));
        fill();
    }
}
