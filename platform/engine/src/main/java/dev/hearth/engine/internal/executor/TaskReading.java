package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.shuffle.ReadingTask;
import java.util.concurrent.CompletionStage;

/** An attempt for those who fetch for it. No state of its own. */
record TaskReading(TaskAttempt attempt) implements ReadingTask {
    /** As an interface: whoever passes it on does not load it before it is made. */
    static ReadingTask of(TaskAttempt attempt) {
        return new TaskReading(attempt);
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
