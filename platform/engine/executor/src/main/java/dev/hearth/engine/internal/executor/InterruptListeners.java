package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.TaskContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listeners that the application has registered for the interrupt of one task attempt. Guarded by its own lock. Each
 * listener is called once.
 */
final class InterruptListeners {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptListeners.class);

    private final Deque<BiConsumer<TaskContext, String>> waiting = new ArrayDeque<>(); // last added first

    synchronized void add(BiConsumer<TaskContext, String> listener) {
        waiting.push(listener);
    }

    /**
     * Calls, on the calling thread, all listeners that have not been called yet. If one throws, the remaining listeners
     * are still called.
     */
    void call(TaskContext task, String reason) {
        for (BiConsumer<TaskContext, String> next = poll(); next != null; next = poll()) {
            try {
                next.accept(task, reason);
            } catch (RuntimeException
                    | LinkageError
                    | AssertionError
                    | StackOverflowError thrown) { // a listener is application code and may throw any exception
                LOG.warn("{}: a listener for its interrupt threw", task, thrown);
            }
        }
    }

    private synchronized @Nullable BiConsumer<TaskContext, String> poll() {
        return waiting.poll();
    }
}
