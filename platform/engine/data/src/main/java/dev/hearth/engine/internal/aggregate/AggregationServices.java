package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;

/** Services of a task that aggregations use; each is created lazily. Owned by the task's thread. */
public interface AggregationServices {
    TaskMemory memory();

    TemporaryFiles files();

    RecordFormat format();

    ObjectSizeEstimator sizes();

    /**
     * Whether the output order matters. If so, keys are returned in the order in which they were first seen, even after
     * a spill; otherwise spilled keys may be returned in any order, for speed.
     */
    boolean inOrder();

    /** Throws once the task is killed. */
    void checkKilled();

    /** Description of the task for errors and file names, for example {@code partition 3 of stage 2}. */
    String subject();
}
