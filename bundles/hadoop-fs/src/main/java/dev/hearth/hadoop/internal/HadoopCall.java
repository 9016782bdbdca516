package dev.hearth.hadoop.internal;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import java.io.IOException;

/** Calls into Hadoop on behalf of one file. Its failures are those of a file store. Immutable. */
record HadoopCall(HadoopRuntime hadoop, String file) {
    /** Action that uses a file system. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }

    /** Action without a result. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    <T> T get(Action<T> action) throws IOException {
        try {
            return hadoop.call(action::run);
        } catch (IOException failure) {
            throw HadoopErrors.translate(file, failure);
        } catch (IllegalArgumentException failure) { // a name that cannot be resolved
            if (failure.getCause() instanceof IOException cause) {
                throw HadoopErrors.translate(file, cause);
            }
            throw failure;
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible); // actions throw no other checked exception
        }
    }

    void run(Step step) throws IOException {
        get(() -> {
            step.run();
            return file;
        });
    }
}
