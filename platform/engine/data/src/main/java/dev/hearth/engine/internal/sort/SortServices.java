package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;
import java.util.function.Supplier;

/**
 * Services that a sort gets from its task. The suppliers are called lazily, when a service is needed. {@code alive},
 * which the sort calls often, throws once the task is killed.
 */
public record SortServices(
        TaskMemory memory,
        Supplier<RecordFormat> records,
        Supplier<TemporaryFiles> files,
        Supplier<ObjectSizeEstimator> sizes,
        Runnable alive) {}
