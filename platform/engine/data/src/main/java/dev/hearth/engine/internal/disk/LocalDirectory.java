package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local directory of this application. Created on disk with its first file. Any thread may call; guarded by
 * itself.
 */
final class LocalDirectory {
    /** How long a directory is skipped after a failure. */
    static final Duration REST = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(LocalDirectory.class);

    private final Path base;
    private final long token;
    private @Nullable ProcessDirectory processDirectory;
    private Optional<Long> failedNanos = Optional.empty();

    LocalDirectory(Path base, long token) {
        this.base = base;
        this.token = token;
    }

    Path base() {
        return base;
    }

    /** Path for a new file with the number {@code number}. */
    synchronized Path newPath(long number) throws IOException {
        ProcessDirectory own = processDirectory;
        if (own == null) {
            own = ProcessDirectory.create(base, token);
            processDirectory = own;
        }
        return own.newPath(number);
    }

    /** Records that a file here could not be written. */
    synchronized void failed(String reason, long nowNanos) {
        if (!rests(nowNanos)) {
            LOG.warn("Local directory {}: {}; it is skipped for {} s", base, reason, REST.toSeconds());
        }
        failedNanos = Optional.of(nowNanos);
    }

    /** Whether the directory failed less than {@link #REST} ago and is therefore skipped. */
    synchronized boolean rests(long nowNanos) {
        return failedNanos.isPresent() && nowNanos - failedNanos.get() < REST.toNanos();
    }

    /** Removes all files; the next file creates the directory again. */
    synchronized void remove() {
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
