package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.function.Supplier;

/**
 * What a sort needs of its task. Parts are asked for when they are first needed; {@code alive} throws once the task was told to
 * end.
 */
public record SortServices(
        TaskMemory memory,
        Supplier<RecordFormat> records,
        Supplier<TemporaryFiles> files,
        Supplier<ObjectSizeEstimator> sizes,
        Runnable alive) {}
