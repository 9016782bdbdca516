package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directory of one application below one of the configured local directories. Created on disk with its first file. Any
 * thread may call; guarded by its own lock.
 */
final class LocalDirectory {
    /** Time for which new files avoid a directory after a file in it could not be written. */
    static final Duration REST = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(LocalDirectory.class);

    private final Path base;
    private final long token;
    private final boolean lent; // another process owns the base and removes what is below it
    private @Nullable ProcessDirectory processDirectory;
    private Optional<Long> failedNanos = Optional.empty();

    LocalDirectory(Path base, long token, boolean lent) {
        this.base = base;
        this.token = token;
        this.lent = lent;
    }

    Path base() {
        return base;
    }

    /** The path for a new file, which is named by {@code number}. */
    synchronized Path newPath(long number) throws IOException {
        ProcessDirectory own = processDirectory;
        if (own == null) {
            own = lent ? ProcessDirectory.lent(base, token) : ProcessDirectory.create(base, token);
            processDirectory = own;
        }
        return own.newPath(number);
    }

    /**
     * Records that a file in this directory could not be written, so that new files go elsewhere for the time {@link
     * #REST}.
     */
    synchronized void failed(String reason, long nowNanos) {
        if (!rests(nowNanos)) {
            LOG.warn("Local directory {}: {}; it is skipped for {} s", base, reason, REST.toSeconds());
        }
        failedNanos = Optional.of(nowNanos);
    }

    /**
     * Returns whether a file in this directory failed less than {@link #REST} ago, so that new files avoid the
     * directory.
     */
    synchronized boolean rests(long nowNanos) {
        return failedNanos.isPresent() && nowNanos - failedNanos.get() < REST.toNanos();
    }

    /**
     * Deletes the directory and all its files, unless another process owns them. The directory is created again when its
     * next file is written.
     */
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
