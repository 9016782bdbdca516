package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;

/**
 * Services that an aggregation gets from its task, such as memory and temporary files; each is created lazily. Owned by
 * the task's thread.
 */
public interface AggregationServices {
    TaskMemory memory();

    TemporaryFiles files();

    RecordFormat format();

    ObjectSizeEstimator sizes();

    /**
     * Returns whether keys must be returned in the order in which they were first seen, even after a spill. Otherwise
     * spilled keys may be returned in any order, which is faster.
     */
    boolean inOrder();

    /** Throws if the task was killed. Long loops call this method often, so that a kill takes effect soon. */
    void checkKilled();

    /** Description of the task for errors and file names, for example {@code partition 3 of stage 2}. */
    String subject();
}
