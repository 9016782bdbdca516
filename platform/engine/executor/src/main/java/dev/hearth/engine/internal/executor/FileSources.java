package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.io.FileElements;
import dev.hearth.engine.internal.io.FileSettings;
import dev.hearth.engine.internal.io.FileSplit;
import dev.hearth.engine.internal.io.FixedRecords;
import dev.hearth.engine.internal.io.InputAccess;
import dev.hearth.engine.internal.io.InputFile;
import dev.hearth.engine.internal.io.ObjectInput;
import dev.hearth.engine.internal.io.TextLines;
import dev.hearth.engine.internal.io.WholeFile;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.plan.FileFormat;
import dev.hearth.engine.internal.plan.TaskInput;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Reads the file splits of one task. A split is a path, a start offset and an end offset. Stateless. */
final class FileSources {
    private FileSources() {}

    static Iterator<?> elements(TaskAttempt attempt, FileFormat format, TaskInput input) {
        Object[] given = TaskSources.array(attempt, input, "parts of files of partition ");
        InputAccess configured = attempt.services.data().input();
        InputAccess access = format == FileFormat.CHECKPOINT ? configured.with(FileSettings.DEFAULTS) : configured;
        boolean sized = format == FileFormat.FIXED_RECORDS;
        Queue<FileSplit> parts = new ArrayDeque<>();
        for (int i = sized ? 1 : 0; i < given.length; i += 3) {
            parts.add(new FileSplit((String) given[i], (Long) given[i + 1], (Long) given[i + 2]));
        }
        LongConsumer bytesRead = bytes -> attempt.countRead(0, bytes);
        Function<FileSplit, Iterator<?>> opening = switch (format) {
            case TEXT -> part -> new TextLines(part, access, memory(attempt, part));
            case WHOLE_TEXT ->
                part -> one(
                        new Pair<>(part.path(), WholeFile.text(file(part), access, memory(attempt, part), bytesRead)));
            case BINARY ->
                part -> one(
                        new Pair<>(part.path(), WholeFile.bytes(file(part), access, memory(attempt, part), bytesRead)));
            case FIXED_RECORDS -> part -> new FixedRecords(part, (Integer) given[0], access);
            case OBJECTS, CHECKPOINT ->
                part -> new ObjectInput(part, attempt.services.data().records(), access, memory(attempt, part));
        };
        return new Parts(attempt, parts, opening);
    }

    private static BufferReservation memory(TaskAttempt attempt, FileSplit part) {
        return new BufferReservation(
                attempt::memory, "file " + part.path() + ", read by partition " + attempt.partition());
    }

    private static InputFile file(FileSplit part) {
        return new InputFile(part.path(), part.until());
    }

    private static Iterator<?> one(Object element) {
        return Collections.singletonList(element).iterator();
    }

    /**
     * Reads splits in sequence. Opens each split only when it is reached, and closes it at the latest when the attempt
     * ends.
     */
    private static final class Parts implements Iterator<Object> {
        private final TaskAttempt attempt;
        private final Queue<FileSplit> parts;
        private final Function<FileSplit, Iterator<?>> opening;
        private Iterator<?> open = Collections.emptyIterator();

        Parts(TaskAttempt attempt, Queue<FileSplit> parts, Function<FileSplit, Iterator<?>> opening) {
            this.attempt = attempt;
            this.parts = parts;
            this.opening = opening;
            attempt.onCompletion(ended -> close());
        }

        @Override
        public boolean hasNext() {
            while (!open.hasNext()) {
                if (!advance()) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Object next() {
            if (!hasNext()) {
                throw new NoSuchElementException("partition " + attempt.partition() + ": no more elements");
            }
            attempt.checkKilled();
            attempt.countRead();
            return open.next();
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            do {
                open.forEachRemaining(element -> {
                    attempt.checkKilled();
                    attempt.countRead();
                    action.accept(element);
                });
            } while (advance());
        }

        private boolean advance() {
            close();
            FileSplit part = parts.poll();
            if (part == null) {
                return false;
            }
            open = opening.apply(part);
            return true;
        }

        private void close() {
            Iterator<?> done = open;
            open = Collections.emptyIterator();
            if (done instanceof FileElements reading) {
                attempt.countRead(0, reading.bytesRead());
                reading.close();
            }
        }
    }
}
