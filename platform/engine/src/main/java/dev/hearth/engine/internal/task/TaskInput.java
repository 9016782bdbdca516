package dev.hearth.engine.internal.task;

import dev.hearth.spi.rpc.Bytes;

/** The elements a task is given by the driver: none, values that cannot change and may be shared, or bytes to be read anew. */
public sealed interface TaskInput {
    TaskInput NONE = new Shared(new Object[0]);

    /** Never changed by anybody: neither the array nor, being of unchangeable types, its elements. */
    @SuppressWarnings("ArrayRecordComponent")
    record Shared(Object[] elements) implements TaskInput {}

    record Encoded(Bytes bytes) implements TaskInput {}
}
