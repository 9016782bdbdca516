package dev.hearth.engine.internal.sort;

import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.record.RecordFormat;
import java.util.function.Supplier;

/**
 * What a sort needs of its task. Parts are asked for when they are first needed; {@code alive} throws once the task was told to
 * end.
 */
public record SortServices(
        TaskMemory memory,
        Supplier<RecordFormat> records,
        Supplier<SegmentFiles> files,
        Supplier<ObjectSizes> sizes,
        Runnable alive) {}
