package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.ExecutorTasks;
import dev.hearth.engine.internal.executor.TaskThreads;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Define;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Forget;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Kill;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Launch;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;

/**
 * Executors inside the driver's process: their bookkeeping shares the driver's loop, their tasks have threads of their own,
 * and values still travel as bytes, so that a task cannot see what another one changes.
 */
final class InProcessExecutors implements ExecutorHost {
    private final EventLoop loop;
    private final ApplicationLoader code;
    private final TaskThreads.Factory threads;
    private final Driver driver;

    InProcessExecutors(EventLoop loop, ApplicationLoader code, TaskThreads.Factory threads, Driver driver) {
        this.loop = loop;
        this.code = code;
        this.threads = threads;
        this.driver = driver;
    }

    @Override
    public RunningExecutor start(ExecutorId executor, int cores) {
        ExecutorTasks tasks = new ExecutorTasks(
                new UserObjects(code.classes()),
                threads.open(code.classes(), cores),
                loop,
                updates -> driver.taskUpdates(executor, ExecutorRegistry.NO_PEER, updates),
                MessageBounds.NONE);
        loop.execute(() -> driver.admitInProcess(executor, cores, new Link(tasks)));
        return () -> loop.execute(tasks::stop);
    }

    private record Link(ExecutorTasks tasks) implements ExecutorLink {
        @Override
        public void define(Define message) {
            tasks.define(message);
        }

        @Override
        public void launch(Launch message) {
            tasks.launch(message);
        }

        @Override
        public void forget(Forget message) {
            tasks.forget(message.template());
        }

        @Override
        public void kill(Kill message) {
            tasks.kill(message.task());
        }

        @Override
        public void stop(Stop message) {
            tasks.stop();
        }
    }
}
