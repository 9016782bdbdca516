package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskFailure;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskUpdate;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Define;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Launch;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
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
    private final UserObjects objects;
    private final TaskThreads threads;
    private final EventLoop loop;
    private final Consumer<List<TaskUpdate>> report;
    private final Map<TemplateId, PreparedStage> templates = new LinkedHashMap<>();
    private final Set<Long> running = new LinkedHashSet<>();
    private List<TaskUpdate> ended = new ArrayList<>();
    private boolean stopped;

    public ExecutorTasks(UserObjects objects, TaskThreads threads, EventLoop loop, Consumer<List<TaskUpdate>> report) {
        this.objects = objects;
        this.threads = threads;
        this.loop = loop;
        this.report = report;
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
            return TaskUpdate.failed(launch.task(), TaskFailure.of(thrown));
        }
    }

    private void end(TaskUpdate update) {
        if (!running.remove(update.task())) {
            return;
        }
        ended.add(update);
        if (ended.size() == 1) {
            loop.execute(this::flush); // after everything that is already waiting: their ends travel together
        }
    }

    private void flush() {
        List<TaskUpdate> updates = ended;
        ended = new ArrayList<>();
        if (!stopped) {
            report.accept(updates);
        }
    }
}
