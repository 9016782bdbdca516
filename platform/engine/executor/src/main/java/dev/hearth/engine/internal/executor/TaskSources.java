package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.TaskInput;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/** The elements a task is given. No state of its own. */
final class TaskSources {
    private TaskSources() {}

    static Iterator<?> elements(TaskAttempt attempt, TaskInput input) {
        Object[] elements = array(attempt, input, "elements of partition ");
        return new ArrayElements(elements, attempt);
    }

    /** The content of an input, read anew when it is kept as bytes. */
    static Object[] array(TaskAttempt attempt, TaskInput input, String subject) {
        if (input instanceof TaskInput.Shared shared) {
            return shared.elements();
        }
        TaskInput.Encoded encoded = (TaskInput.Encoded) input;
        if (encoded.bytes().size() == 0) {
            return new Object[0];
        }
        long began = attempt.services.clocks().nanos();
        Object read = attempt.services.objects().read(encoded.bytes(), subject + attempt.partition());
        attempt.deserializeNanos += attempt.services.clocks().nanos() - began;
        return (Object[]) read;
    }

    /** Goes over an array, counts what it hands out, and ends when the attempt is told to. */
    private static final class ArrayElements implements Iterator<Object>, Sized {
        private final Object[] elements;
        private final TaskAttempt attempt;
        private int next;

        ArrayElements(Object[] elements, TaskAttempt attempt) {
            this.elements = elements;
            this.attempt = attempt;
        }

        @Override
        public boolean hasNext() {
            return next < elements.length;
        }

        @Override
        public Object next() {
            if (next >= elements.length) {
                throw new NoSuchElementException("partition " + attempt.partition() + ": no more elements");
            }
            attempt.checkKilled();
            attempt.recordsRead++;
            return elements[next++];
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            while (next < elements.length) {
                attempt.checkKilled();
                attempt.recordsRead++;
                action.accept(elements[next++]);
            }
        }

        @Override
        public long skipAll() {
            int left = elements.length - next;
            next = elements.length;
            attempt.recordsRead += left;
            return left;
        }
    }

    /** Knows how many elements are left without making them. */
    interface Sized {
        long skipAll();
    }
}
