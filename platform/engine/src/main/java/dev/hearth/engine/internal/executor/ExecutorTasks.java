package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskFailure;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskUpdate;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Define;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Launch;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The templates an executor knows and the tasks it runs. Owned by {@code loop}: every call but the end of a task arrives
 * there. Invariant: every launched task is reported exactly once, unless the executor is stopped before.
 */
public final class ExecutorTasks {
    private static final int FRAME_BYTES = 1_000; // class, method and file, generously

    private final UserObjects objects;
    private final TaskThreads threads;
    private final EventLoop loop;
    private final Consumer<List<TaskUpdate>> report;
    private final Map<TemplateId, PreparedStage> templates = new LinkedHashMap<>();
    private final Set<Long> running = new LinkedHashSet<>();
    private final int valueBytesMax;
    private List<TaskUpdate> ended = new ArrayList<>();
    private boolean stopped;

    public ExecutorTasks(
            UserObjects objects,
            TaskThreads threads,
            EventLoop loop,
            Consumer<List<TaskUpdate>> report,
            int messageBytesMax) {
        this.objects = objects;
        this.threads = threads;
        this.loop = loop;
        this.report = report;
        this.valueBytesMax = messageBytesMax - MessageBounds.ENVELOPE_BYTES;
    }

    public void define(Define message) {
        templates.putIfAbsent(message.template(), new PreparedStage(message.body(), objects));
    }

    public void forget(TemplateId template) {
        templates.remove(template);
    }

    public void launch(Launch message) {
        if (stopped) {
            return;
        }
        PreparedStage stage = templates.get(message.template());
        for (TaskLaunch launch : message.tasks()) {
            if (!running.add(launch.task())) {
                continue; // the same launch twice: it runs, and is reported, once
            }
            if (stage == null) {
                end(TaskUpdate.failed(
                        launch.task(),
                        new TaskFailure(
                                "template " + message.template() + " was never sent to this executor", List.of())));
            } else {
                start(stage, launch);
            }
        }
    }

    public void kill(long task) {
        if (running.contains(task)) {
            threads.interrupt(task);
        }
    }

    public void stop() {
        stopped = true;
        running.clear();
        threads.stop();
    }

    private void start(PreparedStage stage, TaskLaunch launch) {
        threads.start(launch.task(), () -> {
            TaskUpdate update = run(stage, launch);
            loop.execute(() -> end(update));
        });
    }

    private static TaskUpdate run(PreparedStage stage, TaskLaunch launch) {
        try {
            Bytes value = stage.run(launch.input());
            return TaskUpdate.succeeded(launch.task(), value);
        } catch (Throwable thrown) { // whatever the user's code throws, Errors too, is the outcome of the task
            return TaskUpdate.failed(launch.task(), describe(thrown));
        }
    }

    /** Describing runs the exception's own code, which may throw in its turn. */
    private static TaskFailure describe(Throwable thrown) {
        try {
            return TaskFailure.of(thrown);
        } catch (Throwable worse) {
            return new TaskFailure(
                    thrown.getClass().getName() + " (and describing it threw "
                            + worse.getClass().getName() + ")",
                    List.of());
        }
    }

    private void end(TaskUpdate given) {
        if (!running.remove(given.task())) {
            return;
        }
        TaskUpdate update = withinBound(given);
        ended.add(update);
        if (ended.size() == 1) {
            loop.execute(this::flush); // after everything that is already waiting: their ends travel together
        }
    }

    private TaskUpdate withinBound(TaskUpdate update) {
        if (update.value().size() <= valueBytesMax) {
            return update;
        }
        return TaskUpdate.failed(
                update.task(),
                new TaskFailure(
                        "result of " + update.value().size() + " bytes (expected: at most " + valueBytesMax
                                + ", from hearth.rpc.message.maxSize); make it smaller, or raise the setting",
                        List.of()));
    }

    /** Reports in as few messages as the bound on their size allows. */
    private void flush() {
        List<TaskUpdate> updates = ended;
        ended = new ArrayList<>();
        List<TaskUpdate> batch = new ArrayList<>();
        long bytes = 0;
        for (TaskUpdate update : updates) {
            if (bytes + weight(update) > valueBytesMax && !batch.isEmpty()) {
                report(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(update);
            bytes += weight(update);
        }
        report(batch);
    }

    /** The most bytes an update takes on the wire. */
    private static long weight(TaskUpdate update) {
        TaskFailure failure = update.failure();
        return update.value().size()
                + 3L * failure.text().length()
                + (long) FRAME_BYTES * failure.frames().size()
                + 64;
    }

    private void report(List<TaskUpdate> batch) {
        if (!stopped) {
            report.accept(batch);
        }
    }
}
