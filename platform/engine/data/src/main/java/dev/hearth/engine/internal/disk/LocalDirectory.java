package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One place where this application may put files. Made on disk with the first of them. Any thread may call; guarded by itself. */
final class LocalDirectory {
    /** How long a directory that failed is passed over. */
    static final Duration REST = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(LocalDirectory.class);

    private final Path base;
    private final long token;
    private @Nullable ProcessDirectory made;
    private Optional<Long> failedNanos = Optional.empty();

    LocalDirectory(Path base, long token) {
        this.base = base;
        this.token = token;
    }

    Path base() {
        return base;
    }

    /** A place for a file of that number, which is not there yet. */
    synchronized Path place(long number) throws IOException {
        ProcessDirectory own = made;
        if (own == null) {
            own = ProcessDirectory.make(base, token);
            made = own;
        }
        return own.place(number);
    }

    /** Says that a file here could not be written. */
    synchronized void failed(String reason, long nowNanos) {
        if (!rests(nowNanos)) {
            LOG.warn("Local directory {}: {}; it is passed over for {} s", base, reason, REST.toSeconds());
        }
        failedNanos = Optional.of(nowNanos);
    }

    /** Whether it failed a short while ago. */
    synchronized boolean rests(long nowNanos) {
        return failedNanos.isPresent() && nowNanos - failedNanos.get() < REST.toNanos();
    }

    /** Removes what is here; a later file would begin anew. */
    synchronized void remove() {
        ProcessDirectory own = made;
        made = null;
        if (own == null) {
            return;
        }
        try {
            own.remove();
        } catch (IOException failure) {
            LOG.warn(
                    "Local directory {}: cannot be removed whole (expected: nothing left); remove it by hand",
                    own.directory(),
                    failure);
        }
    }
}
