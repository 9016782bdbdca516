package dev.hearth.engine.internal.serializer;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Calls through reflection, from which comes what the called code threw. Stateless. */
final class Reflection {
    private Reflection() {}

    static <T extends @Nullable Object> T run(Callable<T> call) {
        try {
            return call.call();
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a constructor threw " + failure.getCause(), failure);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException("fields that were open are closed: " + failure, failure);
        }
    }
}
