package dev.hearth.yarn.internal.seat;

import dev.hearth.spi.error.Failures;
import dev.hearth.yarn.internal.hadoop.HadoopThreads;
import dev.hearth.yarn.internal.hadoop.UserCall;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the own files of an application at its end. Stateless. */
final class StagingRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(StagingRemoval.class);

    private static final Duration BOUND = Duration.ofSeconds(3);

    private StagingRemoval() {}

    /**
     * Removes {@code directory}, if there is one, or gives up after a bound: the end must reach YARN in any case. A failure
     * is logged, and the next submission of the user sweeps.
     */
    static void run(Callable<UserGroupInformation> user, Configuration configuration, Optional<String> directory)
            throws InterruptedException {
        if (directory.isEmpty()) {
            return;
        }
        CompletableFuture<Boolean> removed = new CompletableFuture<>();
        new HadoopThreads("hearth-yarn-staging")
                .newThread(() -> {
                    try {
                        removed.complete(UserCall.as(user.call(), () -> remove(directory.get(), configuration)));
                    } catch (Throwable failure) { // of any file system
                        removed.completeExceptionally(failure);
                    }
                })
                .start();
        try {
            removed.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            LOG.warn(
                    "staging directory {}: {} (expected: removed within {} s); the next submission removes it",
                    directory.get(),
                    Failures.describe(Failures.unwrap(failure)),
                    BOUND.toSeconds());
        }
    }

    private static boolean remove(String directory, Configuration configuration) throws IOException {
        Path path = new Path(directory);
        try (FileSystem system = FileSystem.newInstance(
                path.toUri().getScheme() == null ? FileSystem.getDefaultUri(configuration) : path.toUri(),
                configuration)) {
            return system.delete(path, true);
        }
    }
}
