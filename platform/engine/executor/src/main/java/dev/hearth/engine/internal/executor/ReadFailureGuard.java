package dev.hearth.engine.internal.executor;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/**
 * What a task reads, in the hands of the program's code, which may catch what is thrown and go on: a failure is the attempt's all
 * the same, for elements are missing, or what others of the task had in memory is half written. Owned by the task's thread.
 */
final class ReadFailureGuard implements Iterator<Object> {
    private final Iterator<?> source;
    private final TaskAttempt attempt;
    private boolean acting; // while whoever takes the elements has one

    ReadFailureGuard(Iterator<?> source, TaskAttempt attempt) {
        this.source = source;
        this.attempt = attempt;
    }

    @Override
    public boolean hasNext() {
        try {
            return source.hasNext();
        } catch (Throwable failure) {
            throw SneakyThrow.unchecked(attempt.broken(failure));
        }
    }

    @Override
    public Object next() {
        try {
            return source.next();
        } catch (NoSuchElementException end) {
            throw hasNext()
                    ? SneakyThrow.unchecked(attempt.broken(end))
                    : end; // or asked for too much, and nothing is missing
        } catch (Throwable failure) {
            throw SneakyThrow.unchecked(attempt.broken(failure));
        }
    }

    @Override
    public void forEachRemaining(Consumer<? super Object> action) {
        try {
            source.forEachRemaining(element -> {
                acting = true;
                action.accept(element);
                acting = false;
            });
        } catch (Throwable failure) {
            boolean ofAction = acting;
            acting = false;
            throw SneakyThrow.unchecked(ofAction ? failure : attempt.broken(failure));
        }
    }
}
