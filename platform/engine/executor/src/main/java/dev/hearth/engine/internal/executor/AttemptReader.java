package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import java.util.concurrent.CompletionStage;

/** Adapts a task attempt to the interface used by code that fetches for it. No state of its own. */
record AttemptReader(TaskAttempt attempt) implements ShuffleReadContext {
    /** Returns the interface type, so that callers do not load this class early. */
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
