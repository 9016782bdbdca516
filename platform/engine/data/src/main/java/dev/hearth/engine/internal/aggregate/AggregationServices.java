package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;

/** What a task lends to what works for it; each part is made when it is first asked for. Owned by the task's thread. */
public interface AggregationServices {
    TaskMemory memory();

    TemporaryFiles files();

    RecordFormat format();

    ObjectSizeEstimator sizes();

    /**
     * Whether anybody can tell in which order pairs are given out. Then it is the one in which keys were first seen, wherever they
     * were meanwhile; else what was on disk comes as is quickest.
     */
    boolean inOrder();

    /** Throws once the task was told to end. */
    void checkKilled();

    /** Who works here, for messages and names of files, for example {@code partition 3 of stage 2}. */
    String subject();
}
