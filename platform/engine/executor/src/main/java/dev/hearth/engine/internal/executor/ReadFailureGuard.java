package dev.hearth.engine.internal.executor;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/**
 * Iterator over a task's input that records failures. A user function may catch the exception of a failed read and
 * continue. Elements would then be missing, so the attempt must fail. Owned by the task's thread.
 */
final class ReadFailureGuard implements Iterator<Object> {
    private final Iterator<?> source;
    private final TaskAttempt attempt;
    private boolean acting; // true while the consumer processes an element, whose failures are not read failures

    ReadFailureGuard(Iterator<?> source, TaskAttempt attempt) {
        this.source = source;
        this.attempt = attempt;
    }

    @Override
    public boolean hasNext() {
        try {
            return source.hasNext();
        } catch (Throwable failure) {
            throw SneakyThrow.unchecked(attempt.readFailed(failure));
        }
    }

    @Override
    public Object next() {
        try {
            return source.next();
        } catch (NoSuchElementException end) {
            // If no element is left, the caller read past the end, which is not a read failure.
            throw hasNext() ? SneakyThrow.unchecked(attempt.readFailed(end)) : end;
        } catch (Throwable failure) {
            throw SneakyThrow.unchecked(attempt.readFailed(failure));
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
            throw SneakyThrow.unchecked(ofAction ? failure : attempt.readFailed(failure));
        }
    }
}
