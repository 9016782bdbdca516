package dev.hearth.api;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** The result of an asynchronous action, which runs one or more jobs. */
public interface JobFuture<T> extends Future<T> {
    /**
     * A {@link CompletionStage} that completes with the result, or with a {@link HearthException}. Functions that the
     * application adds to it run in a thread pool of the application.
     * <pre>{@code lines.countAsync().stage().thenAccept(size -> System.out.println(size));}</pre>
     */
    CompletionStage<T> stage();

    /**
     * The ids of the jobs that the action has started so far.
     * <pre>{@code List<Integer> ids = lines.takeAsync(10).jobs();}</pre>
     */
    List<Integer> jobs();

    /**
     * Cancels the jobs; {@code interrupt} interrupts the threads of running tasks.
     * <pre>{@code lines.countAsync().cancel(true);}</pre>
     */
    @Override
    boolean cancel(boolean interrupt);

    /**
     * Cancels the jobs; web pages and exceptions show {@code reason}.
     * <pre>{@code lines.countAsync().cancel("no longer needed");}</pre>
     */
    void cancel(String reason);
}
