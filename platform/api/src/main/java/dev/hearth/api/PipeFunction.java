package dev.hearth.api;

import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.LinesFunction;
import dev.hearth.api.task.TaskContext;
import java.io.IOException;
import java.util.Iterator;
import java.util.function.Consumer;

/**
 * Implements pipe: passes the elements of a partition through a process, whose output lines become the elements of the
 * new partition.
 */
record PipeFunction<T>(Command command, LinesFunction<? super T> writing)
        implements IndexedPartitionFunction<T, String> {
    @Override
    public Iterator<String> apply(int partition, Iterator<T> elements) throws IOException {
        return new PipedProcess<>(command, writing, partition, elements, TaskContext.current()).start();
    }

    /** Writes each element to the process as one line, its text by {@link String#valueOf(Object)}. */
    record AsText<T>() implements LinesFunction<T> {
        @Override
        public void write(T element, Consumer<String> lines) {
            lines.accept(String.valueOf(element));
        }
    }
}
