package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.record.RecordFormat;

/** What a task lends to what works for it; each part is made when it is first asked for. Owned by the task's thread. */
public interface Workbench {
    TaskMemory memory();

    SegmentFiles files();

    RecordFormat format();

    ObjectSizes sizes();

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
