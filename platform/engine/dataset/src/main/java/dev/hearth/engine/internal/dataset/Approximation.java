package dev.hearth.engine.internal.dataset;

import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.PartialResult;
import dev.hearth.api.function.EstimateFunction;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a job and estimates its result when a time-out expires, from the results of the tasks that have succeeded by
 * then. Stateless.
 */
final class Approximation {
    private Approximation() {}

    static <S, R> PartialResult<R> of(
            DatasetContext runner,
            Action<List<S>> action,
            IncrementalResults<S> arriving,
            EstimateFunction<S, R> estimate,
            int tasks,
            Duration timeout) {
        if (timeout.isNegative()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    CallSite.operation("approximate") + ": timeout " + timeout + " (expected: 0 or more)");
        }
        JobFuture<List<S>> job = runner.start(action);
        boolean complete = await(job, timeout);
        R initial = estimate.apply(arriving.answer(), tasks);
        return new PartialResult<>(
                initial,
                complete,
                () -> {
                    await(job, Duration.ofSeconds(Long.MAX_VALUE));
                    return estimate.apply(arriving.answer(), tasks);
                },
                job.stage().thenApply(found -> estimate.apply(arriving.answer(), tasks)));
    }

    private static boolean await(JobFuture<?> job, Duration most) {
        try {
            job.get(TimeUnit.NANOSECONDS.convert(most), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException interrupted) {
            job.cancel("the thread that waited for the job was interrupted");
            Thread.currentThread().interrupt();
            throw ErrorCode.APPLICATION_KILLED.failure(
                    "job: the thread that waited for it was interrupted", interrupted);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof HearthException known) {
                throw new HearthException(known.code(), String.valueOf(known.getMessage()), known);
            }
            throw ErrorCode.TASK_FAILED.failure("job: " + failure.getCause(), failure);
        }
    }
}
