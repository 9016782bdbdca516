package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * What an application holds: makes datasets, hands jobs to its {@link Driver} and waits for them on the caller's thread.
 * Any thread of the application may call; everything mutable is the driver's.
 */
public final class DriverContext implements HearthContext {
    private final Driver driver;
    private final DriverSetup setup;
    private final UserObjects objects;
    private final Consumer<DriverContext> closed;

    /** {@code closed} is told once the context has been closed, by whomever. */
    public DriverContext(DriverSetup setup, Consumer<DriverContext> closed) {
        this.driver = new Driver(setup);
        this.setup = setup;
        this.objects = new UserObjects(setup.code().classes());
        this.closed = closed;
    }

    /** Opens the application on its cluster and waits for the cluster's answer. */
    DriverContext open() {
        join(driver.open());
        return this;
    }

    /** Opens the application without waiting, for those who must not block. */
    public CompletionStage<Void> opening() {
        return driver.open();
    }

    /** Closes without waiting. */
    public CompletionStage<Void> closing(ApplicationResult result) {
        return driver.close(result);
    }

    /** Reduces without waiting; the result is made on whichever thread ends the job. */
    public <T> CompletionStage<T> reducing(Rdd<T> dataset, ReduceFunction<T> function) {
        PlannedRdd<T>.Action<T> action = ((PlannedRdd<T>) dataset).reducing(function);
        return action.start(driver.nextJob()).thenApply(action::merge);
    }

    @Override
    public String applicationId() {
        return driver.application().map(ApplicationId::value).orElse("");
    }

    @Override
    public String applicationName() {
        return setup.name();
    }

    @Override
    public String master() {
        return setup.master().text();
    }

    @Override
    public int defaultParallelism() {
        return driver.defaultParallelism();
    }

    @Override
    public <T> Rdd<T> parallelize(List<? extends T> elements, int partitions) {
        if (partitions < 1) {
            throw ErrorCode.BAD_ARGUMENT.failure("parallelize: " + partitions + " partitions (expected: 1 or more)");
        }
        List<T> copy = new ArrayList<>(elements);
        return new PlannedRdd<>(this, new PlannedRdd.Slices(copy, partitions, objects), List.of());
    }

    @Override
    public void close() {
        close(ApplicationResult.FINISHED);
    }

    void close(ApplicationResult result) {
        try {
            join(driver.close(result));
        } finally {
            closed.accept(this);
        }
    }

    Driver driver() {
        return driver;
    }

    UserObjects objects() {
        return objects;
    }

    <R> R await(PlannedRdd<?>.Action<R> action) {
        if (driver.loop().inLoop()) {
            throw ErrorCode.WRONG_THREAD.failure(
                    "an action was called on the driver's own loop (expected: a thread of the application)");
        }
        long job = driver.nextJob();
        CompletableFuture<List<Bytes>> values = action.start(job).toCompletableFuture();
        try {
            return action.merge(values.get());
        } catch (InterruptedException interrupted) {
            HearthException why = ErrorCode.APPLICATION_KILLED.failure(
                    "job " + job + ": the thread that waited for it was interrupted", interrupted);
            driver.cancel(job, why);
            Thread.currentThread().interrupt();
            throw why;
        } catch (ExecutionException failure) {
            throw seenFromHere(failure);
        }
    }

    private static void join(CompletionStage<Void> stage) {
        try {
            stage.toCompletableFuture().get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw ErrorCode.APPLICATION_KILLED.failure(
                    "context: the thread that waited for it was interrupted", interrupted);
        } catch (ExecutionException failure) {
            throw seenFromHere(failure);
        }
    }

    /** A failure of the loop's, thrown again with the stack of the caller who waited for it. */
    private static HearthException seenFromHere(ExecutionException failure) {
        HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, "job");
        return new HearthException(
                inner.code(), String.valueOf(inner.getMessage()), inner.getCause() == null ? inner : inner.getCause());
    }
}
