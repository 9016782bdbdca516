package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.StatusTracker;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

/**
 * Counts primes. Meanwhile it prints how many tasks of the job have completed; at the end it prints the number of
 * primes.
 */
public final class JobProgress {
    private static final long LOOK_MILLIS = 50;

    private JobProgress() {}

    public static void main(String[] words) throws InterruptedException, ExecutionException {
        ExampleArguments arguments = ExampleArguments.of("JobProgress [limit] [tasks]", words);
        int limit = arguments.number(0, 1, 4_000_000);
        int tasks = arguments.number(1, 1, 20);
        try (HearthContext context = HearthContext.builder().name("JobProgress").open()) {
            JobFuture<Long> primes = context.range(0, limit, 1, tasks)
                    .filter(JobProgress::isPrime)
                    .countAsync();
            while (!endsWithin(primes, LOOK_MILLIS)) {
                primes.jobs().forEach(job -> print(context.statusTracker(), job));
            }
            System.out.println("primes\t" + primes.get());
        }
    }

    private static boolean endsWithin(JobFuture<?> job, long millis) throws InterruptedException, ExecutionException {
        try {
            job.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        }
    }

    private static void print(StatusTracker tracker, int id) {
        tracker.job(id)
                .ifPresent(job -> job.stages()
                        .forEach(stage -> tracker.stage(stage)
                                .ifPresent(found -> System.out.println("job " + id + "\t" + job.state() + "\t"
                                        + found.completedTasks() + "\t" + found.tasks()))));
    }

    private static boolean isPrime(long number) {
        return number > 1
                && LongStream.iterate(2, by -> by * by <= number, by -> by + 1).noneMatch(by -> number % by == 0);
    }
}
