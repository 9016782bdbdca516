package dev.hearth.engine.internal.disk;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File that moves to another local directory, with the bytes written so far, if its directory fails. Created on disk
 * when its first bytes are written. Owned by one thread. If writing fails in all directories, the file is deleted and
 * its descriptor is closed.
 */
final class FailoverFile {
    private static final int COPY_BYTES = 64 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(FailoverFile.class);

    private final LocalDirectories directories;
    private final String subject;
    private final AtomicLong bytesOnDisk;
    private final Map<LocalDirectory, String> refusals = new LinkedHashMap<>();
    private @Nullable OpenedFile draft;
    private long written;

    FailoverFile(LocalDirectories directories, String subject, AtomicLong bytesOnDisk) {
        this.directories = directories;
        this.subject = subject;
        this.bytesOnDisk = bytesOnDisk;
    }

    String subject() {
        return subject;
    }

    long written() {
        return written;
    }

    /**
     * Appends the first {@code length} elements of {@code bytes}. If the directory of the file fails, first moves the
     * file to another directory.
     */
    void write(byte[] bytes, int length) {
        boolean done = false;
        try {
            OpenedFile file = draft == null ? directories.create(subject, refusals) : draft;
            draft = file;
            while (!added(file, bytes, length)) {
                file = moved(file);
                draft = file;
            }
            written += length;
            bytesOnDisk.addAndGet(length);
            done = true;
        } finally {
            if (!done) {
                abandon();
            }
        }
    }

    private boolean added(OpenedFile file, byte[] bytes, int length) {
        try {
            file.out().write(bytes, 0, length);
            return true;
        } catch (IOException failure) {
            directories.refuse(file.directory(), failure, refusals);
            return false;
        }
    }

    /**
     * Closes the file and returns its path. If the directory of the file fails, first moves the file to another
     * directory.
     */
    Path close() {
        boolean done = false;
        try {
            while (true) {
                OpenedFile file = draft;
                if (file == null) {
                    throw new IllegalStateException(
                            subject + ": ended before it was written (expected: its footer at least)");
                }
                try {
                    file.out().close();
                    done = true;
                    return file.path();
                } catch (IOException failure) {
                    directories.refuse(file.directory(), failure, refusals);
                    draft = moved(file);
                }
            }
        } finally {
            if (!done) {
                abandon();
            }
        }
    }

    /** Copies everything written so far to a new file in another directory, and deletes the old file. */
    private OpenedFile moved(OpenedFile old) {
        close(old);
        while (true) {
            OpenedFile next = directories.create(subject, refusals);
            boolean whole = false;
            try {
                whole = copied(old, next);
            } finally {
                if (!whole) {
                    close(next);
                    delete(next);
                }
            }
            if (whole) {
                delete(old);
                LOG.info(
                        "{}: the disk of its file failed or is full; the file continues in {} after {} bytes",
                        subject,
                        next.path(),
                        written);
                return next;
            }
        }
    }

    private boolean copied(OpenedFile old, OpenedFile next) {
        byte[] buffer = new byte[COPY_BYTES];
        try (DiskInput in = written == 0 ? null : directories.disk().open(old.path())) {
            for (long done = 0; done < written; ) {
                int count = in == null ? -1 : in.read(done, buffer, 0, (int) Math.min(buffer.length, written - done));
                if (count < 0) {
                    throw new IOException("the file ends after " + done + " bytes");
                }
                if (!added(next, buffer, count)) {
                    return false;
                }
                done += count;
            }
            return true;
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    subject + ": " + old.path() + " cannot be written, and cannot be read back: "
                            + refusals.get(old.directory())
                            + "; " + LocalDirectories.reason(failure)
                            + " (expected: a disk that works); name other directories in "
                            + DiskSettings.LOCAL_DIR,
                    failure);
        }
    }

    /** Deletes the file. */
    void abandon() {
        OpenedFile file = draft;
        draft = null;
        if (file != null) {
            close(file);
            delete(file);
            bytesOnDisk.addAndGet(-written);
            written = 0;
        }
    }

    private static void close(OpenedFile file) {
        try {
            file.out().close();
        } catch (IOException failure) {
            // not thrown, because only the earlier failure is reported
            LOG.debug("{}: cannot be closed in order", file.path(), failure);
        }
    }

    private void delete(OpenedFile file) {
        try {
            directories.disk().delete(file.path());
        } catch (IOException failure) {
            LOG.warn(
                    "{}: cannot be deleted now; it is deleted with its directory when the application ends",
                    file.path(),
                    failure);
        }
    }
}
