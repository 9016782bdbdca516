package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.closure.ImmutabilityCheck;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.MemoryBudget;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.Optional;

/** Services that the shuffles of one application use, each created lazily. Any thread may call. */
public interface ShuffleServices {
    MemoryBudget memory();

    RecordFormat records();

    TemporaryFiles files();

    ObjectSizeEstimator sizes();

    ImmutabilityCheck unchangeable();

    ShuffleSettings settings();

    /**
     * Whether other processes read the map outputs of this process. If so, each map output is stored as one file, which
     * can be sent as it is.
     */
    default boolean isServed() {
        return false;
    }

    /** Hands finished map outputs over to the shuffle service of this host; empty if this process keeps them. */
    default Optional<MapOutputAdopter> adopter() {
        return Optional.empty();
    }
}
