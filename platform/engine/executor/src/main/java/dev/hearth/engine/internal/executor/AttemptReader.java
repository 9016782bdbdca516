package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.shuffle.ShuffleReadContext;
import java.util.concurrent.CompletionStage;

/** An attempt for those who fetch for it. No state of its own. */
record AttemptReader(TaskAttempt attempt) implements ShuffleReadContext {
    /** As an interface: whoever passes it on does not load it before it is made. */
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
