package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of open input files, which bounds the number of file descriptors. At the bound, the cache closes the file that
 * was idle longest; the next read of that file opens it again. Any thread may call. Guarded by its own lock, which is
 * not held during reads.
 */
final class OpenFileCache {
    /**
     * Upper bound on the open input files of one application: a quarter of 1024, the usual limit on the open files of a
     * process.
     */
    static final int OPEN_FILES_MAX = 256;

    private static final Logger LOG = LoggerFactory.getLogger(OpenFileCache.class);

    private final Disk disk;
    private final int openMax;
    // open files that no thread is reading, the longest idle first
    private final Map<Reader, DiskInput> idle = new LinkedHashMap<>();
    private int open;

    OpenFileCache(Disk disk, int openMax) {
        this.disk = disk;
        this.openMax = openMax;
    }

    /** Reader of one file. Each read opens the file, unless it is still open. Owned by one thread. */
    final class Reader implements SegmentSource {
        private final Path path;

        private Reader(Path path) {
            this.path = path;
        }

        @Override
        public int read(long position, byte[] into, int at, int length) throws IOException {
            DiskInput file = take(this);
            boolean whole = false;
            try {
                int count = file.read(position, into, at, length);
                whole = true;
                return count;
            } finally {
                if (whole) {
                    release(this, file);
                } else {
                    discard(Optional.of(file));
                }
            }
        }

        @Override
        public void close() {
            discard(Optional.ofNullable(remove(this)));
        }
    }

    Reader reader(Path path) {
        return new Reader(path);
    }

    private DiskInput take(Reader reader) throws IOException {
        DiskInput mine = remove(reader);
        if (mine != null) {
            return mine;
        }
        discard(admit());
        boolean opened = false;
        try {
            DiskInput file = disk.open(reader.path);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                closed();
            }
        }
    }

    private synchronized @Nullable DiskInput remove(Reader reader) {
        return idle.remove(reader);
    }

    /**
     * Waits until one more file may be opened, and counts that file as open. Returns an idle file if it must be closed
     * first, and removes it from the cache; the caller closes it. Otherwise returns empty.
     */
    private synchronized Optional<DiskInput> admit() {
        boolean interrupted = false;
        while (open >= openMax && idle.isEmpty()) {
            try {
                wait(); // wait until a thread ends its read, because each open file is being read
            } catch (InterruptedException interrupt) {
                interrupted = true; // the interrupt flag is restored below, so that the caller can react to it
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        open++;
        if (open <= openMax) {
            return Optional.empty();
        }
        Iterator<DiskInput> files = idle.values().iterator();
        DiskInput longest = files.next();
        files.remove();
        return Optional.of(longest);
    }

    private synchronized void release(Reader reader, DiskInput file) {
        idle.put(reader, file);
        notifyAll();
    }

    private void discard(Optional<DiskInput> file) {
        if (file.isEmpty()) {
            return;
        }
        try {
            file.get().close();
        } catch (IOException failure) {
            LOG.debug("A file that was read cannot be closed in order", failure);
        } finally {
            closed();
        }
    }

    private synchronized void closed() {
        open--;
        notifyAll();
    }

    synchronized int open() {
        return open;
    }
}
