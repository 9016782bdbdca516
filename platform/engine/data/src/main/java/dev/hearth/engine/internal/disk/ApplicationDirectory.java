package dev.hearth.engine.internal.disk;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of one application for files with fixed names. It is below the first local directory in which it can be
 * created. It is created on first use and removed by {@link #close}. If the process is killed, the next process removes
 * it. Any thread may call; guarded by its own lock.
 */
public final class ApplicationDirectory implements ApplicationDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationDirectory.class);

    private final Supplier<DiskSettings> settings;
    private @Nullable ProcessDirectory processDirectory;
    private boolean closed;

    public ApplicationDirectory(Supplier<DiskSettings> settings) {
        this.settings = settings;
    }

    @Override
    public synchronized Path directory(String name) {
        if (closed) {
            throw ErrorCode.CONTEXT_CLOSED.failure(
                    "temporary files of an application: requested after it ended (expected: while it runs)");
        }
        ProcessDirectory own = processDirectory;
        if (own == null) {
            own = create();
            processDirectory = own;
        }
        Path directory = own.directory().resolve(name);
        try {
            if (!directory.toFile().isDirectory()) {
                OwnerOnlyFiles.createDirectory(directory);
            }
        } catch (IOException failure) {
            throw failed(List.of(directory + ": " + LocalDirectories.reason(failure)));
        }
        return directory;
    }

    private ProcessDirectory create() {
        List<String> refusals = new ArrayList<>();
        long token = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        for (Path base : settings.get().directories()) {
            try {
                return ProcessDirectory.create(base.toAbsolutePath(), token);
            } catch (IOException failure) {
                refusals.add(base + ": " + LocalDirectories.reason(failure));
            }
        }
        throw failed(refusals);
    }

    private static RuntimeException failed(List<String> refusals) {
        return ErrorCode.DISK_FAILED.failure("temporary files of an application: " + String.join("; ", refusals)
                + " (expected: a local directory with free space for them); free some space, or name other"
                + " directories in "
                + DiskSettings.LOCAL_DIR);
    }

    @Override
    public synchronized void close() {
        closed = true;
        ProcessDirectory own = processDirectory;
        processDirectory = null;
        if (own == null) {
            return;
        }
        try {
            own.remove();
        } catch (IOException failure) {
            LOG.warn(
                    "Local directory {}: cannot be removed completely (expected: no files left); remove it by hand",
                    own.directory(),
                    failure);
        }
    }
}
