package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.memory.TaskMemory;
import java.util.concurrent.CompletionStage;

/** The attempt that reads a shuffle, as those see it who fetch for it. For its thread alone. */
public interface ShuffleReadContext {
    TaskMemory memory();

    /** Waits for an answer; unwinds the attempt when it is told to end meanwhile. What the answer failed with is thrown. */
    <T> T await(CompletionStage<T> answer, String subject);
}
