package dev.hearth.api;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** A job that runs while its caller does something else. Its stages complete on threads of the application's pool. */
public interface JobFuture<T> extends Future<T> {
    /** Completes with the result, or with a {@link HearthException}. What follows it runs on threads of the application. <pre>{@code lines.countAsync().stage().thenAccept(size -> System.out.println(size));}</pre> */
    CompletionStage<T> stage();

    /** The ids of the jobs that were started for it so far. <pre>{@code List<Integer> ids = lines.takeAsync(10).jobs();}</pre> */
    List<Integer> jobs();

    /** Ends the jobs; running tasks are interrupted when {@code interrupt} says so. <pre>{@code lines.countAsync().cancel(true);}</pre> */
    @Override
    boolean cancel(boolean interrupt);

    /** Ends the jobs with a reason that is shown wherever the jobs are. <pre>{@code lines.countAsync().cancel("nobody waits any more");}</pre> */
    void cancel(String reason);
}
