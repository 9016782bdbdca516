package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/**
 * Opens one partition of a source for one task attempt, with one method for each kind of source. Owned by the attempt's
 * thread.
 */
final class TaskSources implements Source.Handler<Iterator<?>, Exception> {
    private final BranchReader parts;
    private final PreparedBranch branch;
    private final int partition;
    private final TaskInput input;
    private final Object function;

    /**
     * {@code input} contains the elements or file splits that the driver sent for the partition. {@code function} is
     * the deserialised user function of the branch's source.
     */
    TaskSources(BranchReader parts, PreparedBranch branch, int partition, TaskInput input, Object function) {
        this.parts = parts;
        this.branch = branch;
        this.partition = partition;
        this.input = input;
        this.function = function;
    }

    @Override
    public Iterator<?> onElements(Source.Elements source) {
        return new ArrayElements(array(parts.attempt(), input, "elements of partition "), parts.attempt());
    }

    @Override
    public Iterator<?> onFiles(Source.Files source) {
        return FileSources.elements(parts.attempt(), source.format(), input);
    }

    @Override
    public Iterator<?> onLocalCheckpoint(Source.LocalCheckpoint source) {
        throw CachedSteps.lost(partition, branch.steps());
    }

    @Override
    public Iterator<?> onShuffle(ShuffleSource source) throws FetchFailedException {
        return source.acceptShuffle(new ShuffleSources(parts.attempt(), partition, function));
    }

    @Override
    public Iterator<?> onBranches(BranchSource source) throws Exception {
        return source.acceptBranches(new NarrowSources(parts, partition, function));
    }

    /**
     * Returns the elements that the driver sent as the input {@code input}. If they are serialised, each attempt
     * deserialises its own.
     */
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
        attempt.countDeserialize(attempt.services.clocks().nanos() - began);
        return (Object[]) read;
    }

    /**
     * Iterator over the elements of an array, which counts them as read by the attempt. Throws once the attempt has
     * been killed.
     */
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
            attempt.countRead();
            return elements[next++];
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            while (next < elements.length) {
                attempt.checkKilled();
                attempt.countRead();
                action.accept(elements[next++]);
            }
        }

        @Override
        public long skipAll() {
            int left = elements.length - next;
            next = elements.length;
            attempt.countRead(left, 0);
            return left;
        }
    }

    /** Iterator that knows how many elements remain, so that a count does not have to visit them. */
    interface Sized {
        long skipAll();
    }
}
