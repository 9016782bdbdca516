package dev.hearth.api;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** A job that runs while its caller does something else. Its stages complete on threads of the application's pool. */
public interface JobFuture<T> extends Future<T> {
    /** Completes with the result, or with a {@link HearthException}. What follows it runs on threads of the application. */
    CompletionStage<T> stage();

    /** The ids of the jobs that were started for it so far. */
    List<Integer> jobs();

    /** Ends the jobs; running tasks are interrupted when {@code interrupt} says so. */
    @Override
    boolean cancel(boolean interrupt);

    /** Ends the jobs with a reason that is shown wherever the jobs are. */
    void cancel(String reason);
}
