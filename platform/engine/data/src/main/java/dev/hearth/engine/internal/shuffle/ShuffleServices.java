package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.serializer.RecordFormat;

/** What shuffles of one application work with; each part is made when it is first asked for. Any thread may call. */
public interface ShuffleServices {
    MemoryBudget memory();

    RecordFormat records();

    TemporaryFiles files();

    ObjectSizeEstimator sizes();

    ImmutabilityCheck unchangeable();

    ShuffleSettings settings();

    /** Whether other processes read what is written here, which then lies in files, one for each map task. */
    default boolean isServed() {
        return false;
    }
}
