package dev.hearth.engine.internal.serializer;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Reflective calls that rethrow the exceptions of the called code. Stateless. */
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
            throw new IllegalStateException("an accessible member became inaccessible: " + failure, failure);
        }
    }
}
