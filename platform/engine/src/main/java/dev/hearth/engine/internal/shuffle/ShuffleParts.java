package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.serial.Unchangeable;

/** What shuffles of one application work with; each part is made when it is first asked for. Any thread may call. */
public interface ShuffleParts {
    MemoryBudget memory();

    RecordFormat records();

    SegmentFiles files();

    ObjectSizes sizes();

    Unchangeable unchangeable();

    ShuffleSettings settings();

    /** Whether other processes read what is written here, which then lies in files, one for each map task. */
    default boolean isServed() {
        return false;
    }
}
