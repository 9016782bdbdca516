package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import java.util.concurrent.CompletionStage;

/**
 * Adapts a task attempt to {@link ShuffleReadContext}, so that fetching code does not depend on the executor.
 * Stateless.
 */
record AttemptReader(TaskAttempt attempt) implements ShuffleReadContext {
    /**
     * Creates the view of {@code attempt} that reading shuffles needs. The result type is the interface, so that
     * callers do not load this class early.
     */
    static ShuffleReadContext of(TaskAttempt attempt) {
        return new AttemptReader(attempt);
    }

    @Override
    public TaskMemory memory() {
        return attempt.memory();
    }

    @Override
    public <T> T await(CompletionStage<T> answer, String subject) {
        return attempt.await(answer, subject);
    }
}
