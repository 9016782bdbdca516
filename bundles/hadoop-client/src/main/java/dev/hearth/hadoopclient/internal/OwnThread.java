package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.error.ErrorCode;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Calls Hadoop on a thread that ends afterwards. Hadoop leaves thread locals, which would keep its classes in memory as
 * long as the thread of the caller lives. Stateless.
 */
final class OwnThread {
    private OwnThread() {}

    /** Returns the result of {@code action}, with {@code context} as context class loader; throws what it throws. */
    static <T> T call(ClassLoader context, Callable<T> action) throws Exception {
        FutureTask<T> task = new FutureTask<>(action);
        Thread thread = new Thread(null, task, "hearth-hadoop", 0, false);
        thread.setContextClassLoader(context);
        thread.setDaemon(true);
        thread.start();
        try {
            T result = task.get();
            thread.join();
            return result;
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw failure;
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw ErrorCode.ASK_ABORTED.failure("Hadoop: the call was interrupted (expected: it ends)", interrupted);
        }
    }
}
