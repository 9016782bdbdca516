package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.task.TaskInput;

/** What one map task has for one reader: keys and values in turn, as they are or as bytes. Immutable. */
public record ShuffleBlock(TaskInput content, int records, long bytes) {
    public static final ShuffleBlock EMPTY = new ShuffleBlock(TaskInput.NONE, 0, 0);
}
