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
 * The files an application reads, of which only so many are open: past that the one that rested longest is closed and opened again
 * when it is read next. Any thread may call; guarded by itself, while reads go on outside of the lock.
 */
final class OpenFileCache {
    /** Descriptors for reading, per application: a quarter of what systems allow a process at least. */
    static final int OPEN_FILES_MAX = 256;

    private static final Logger LOG = LoggerFactory.getLogger(OpenFileCache.class);

    private final Disk disk;
    private final int openMax;
    private final Map<Reader, DiskInput> resting = new LinkedHashMap<>(); // the longest first
    private int open;

    OpenFileCache(Disk disk, int openMax) {
        this.disk = disk;
        this.openMax = openMax;
    }

    /** One opening of a file. Nothing is open before the first read. Owned by one thread. */
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
                    rest(this, file);
                } else {
                    drop(Optional.of(file));
                }
            }
        }

        @Override
        public void close() {
            drop(Optional.ofNullable(remove(this)));
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
        drop(admit());
        boolean opened = false;
        try {
            DiskInput file = disk.open(reader.path);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                gone();
            }
        }
    }

    private synchronized @Nullable DiskInput remove(Reader reader) {
        return resting.remove(reader);
    }

    /** Waits until one more may be open, which then counts; returns what has to be closed for it. */
    private synchronized Optional<DiskInput> admit() {
        boolean interrupted = false;
        while (open >= openMax && resting.isEmpty()) {
            try {
                wait(); // a read is under way in each of them, and comes back
            } catch (InterruptedException told) {
                interrupted = true; // for the task to notice: it has nothing half done here
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        open++;
        if (open <= openMax) {
            return Optional.empty();
        }
        Iterator<DiskInput> files = resting.values().iterator();
        DiskInput longest = files.next();
        files.remove();
        return Optional.of(longest);
    }

    private synchronized void rest(Reader reader, DiskInput file) {
        resting.put(reader, file);
        notifyAll();
    }

    private void drop(Optional<DiskInput> file) {
        if (file.isEmpty()) {
            return;
        }
        try {
            file.get().close();
        } catch (IOException failure) {
            LOG.debug("A file that was read cannot be closed in order", failure);
        } finally {
            gone();
        }
    }

    private synchronized void gone() {
        open--;
        notifyAll();
    }

    synchronized int open() {
        return open;
    }
}
