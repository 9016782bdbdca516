package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.memory.TaskMemory;
import java.util.concurrent.CompletionStage;

/**
 * Context of a task attempt that reads a shuffle: provides the memory of the attempt, and waits for other executors.
 * Used by the attempt's thread only.
 */
public interface ShuffleReadContext {
    TaskMemory memory();

    /**
     * Waits for an answer from another executor and returns it. Throws if the answer is a failure. If the task is
     * killed meanwhile, throws the exception that ends the attempt.
     */
    <T> T await(CompletionStage<T> answer, String subject);
}
