package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.memory.TaskMemory;
import java.util.concurrent.CompletionStage;

/**
 * Task attempt that reads a shuffle: its memory, and how it waits for other executors. Used by the attempt's
 * thread only.
 */
public interface ShuffleReadContext {
    TaskMemory memory();

    /**
     * Waits for an answer; throws the failure of the answer, and unwinds the attempt if the task is killed
     * meanwhile.
     */
    <T> T await(CompletionStage<T> answer, String subject);
}
