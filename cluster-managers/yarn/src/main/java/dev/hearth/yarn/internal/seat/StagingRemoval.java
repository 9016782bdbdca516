package dev.hearth.yarn.internal.seat;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the own files of an application at its end. Stateless. */
final class StagingRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(StagingRemoval.class);

    private StagingRemoval() {}

    /** Removes {@code directory}, if there is one. A failure is logged: the next submission of the user sweeps. */
    static void run(HadoopRuntime runtime, Configuration configuration, Optional<String> directory) {
        if (directory.isEmpty()) {
            return;
        }
        try {
            runtime.call(() -> {
                Path path = new Path(directory.get());
                try (FileSystem system = FileSystem.newInstance(
                        path.toUri().getScheme() == null ? FileSystem.getDefaultUri(configuration) : path.toUri(),
                        configuration)) {
                    return system.delete(path, true);
                }
            });
        } catch (Exception failure) { // of any file system
            LOG.warn("staging directory {}: {} (expected: removed)", directory.get(), failure.toString());
        }
    }
}
