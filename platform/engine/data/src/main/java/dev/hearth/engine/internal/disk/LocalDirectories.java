package dev.hearth.engine.internal.disk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;

/**
 * Local directories of one application, used round-robin to spread the load over the disks. A directory that failed is
 * skipped for {@link LocalDirectory#REST}, unless no other directory is left. Any thread may call. {@link #close}
 * removes all files, and no file can be created afterwards.
 */
final class LocalDirectories implements AutoCloseable {
    private final List<LocalDirectory> all;
    private final Disk disk;
    private final Ticker ticker;
    private final AtomicLong files = new AtomicLong();
    private final ReadWriteLock gate = new ReentrantReadWriteLock();
    private boolean closed; // written only under the write lock

    LocalDirectories(List<Path> bases, long token, Disk disk, Ticker ticker) {
        this(bases, token, disk, ticker, false);
    }

    /** If {@code lent} is set, another process owns the directories {@code bases} and removes all files in them. */
    LocalDirectories(List<Path> bases, long token, Disk disk, Ticker ticker, boolean lent) {
        this.all = bases.stream()
                .map(base -> new LocalDirectory(base.toAbsolutePath(), token, lent))
                .toList();
        this.disk = disk;
        this.ticker = ticker;
    }

    Disk disk() {
        return disk;
    }

    /**
     * Creates a file in a directory that is not among {@code refusals}, the directories that already failed for this
     * file. Each directory that fails now is added to {@code refusals}. If no directory is left, fails with {@code
     * DISK_FAILED}; the error names {@code subject} and all refusals.
     */
    OpenedFile create(String subject, Map<LocalDirectory, String> refusals) {
        long number = files.getAndIncrement();
        while (true) {
            LocalDirectory directory = next(number, refusals).orElseThrow(() -> exhausted(subject, refusals));
            gate.readLock().lock();
            try {
                if (closed) {
                    throw ErrorCode.CONTEXT_CLOSED.failure(
                            subject + ": its application has ended (expected: an application that runs)");
                }
                Path file = directory.newPath(number);
                return new OpenedFile(directory, file, disk.create(file));
            } catch (IOException failure) {
                refuse(directory, failure, refusals);
            } finally {
                gate.readLock().unlock();
            }
        }
    }

    /**
     * Records that a write to {@code directory} failed, so that new files avoid the directory for {@link
     * LocalDirectory#REST}. Adds the directory with the reason to {@code refusals}.
     */
    void refuse(LocalDirectory directory, IOException failure, Map<LocalDirectory, String> refusals) {
        String reason = reason(failure);
        refusals.put(directory, reason);
        directory.failed(reason, ticker.nanos());
    }

    private Optional<LocalDirectory> next(long number, Map<LocalDirectory, String> refusals) {
        long now = ticker.nanos();
        LocalDirectory resting = null;
        for (int n = 0; n < all.size(); n++) {
            LocalDirectory one = all.get(Math.floorMod(number + n, all.size()));
            if (refusals.containsKey(one)) {
                continue;
            }
            if (!one.rests(now)) {
                return Optional.of(one);
            }
            resting = resting == null ? one : resting;
        }
        return Optional.ofNullable(resting);
    }

    private static RuntimeException exhausted(String subject, Map<LocalDirectory, String> refusals) {
        String reasons = refusals.entrySet().stream()
                .map(refusal -> refusal.getKey().base() + ": " + refusal.getValue())
                .collect(Collectors.joining("; "));
        return ErrorCode.DISK_FAILED.failure(subject + ": cannot be written to disk: " + reasons
                + " (expected: a local directory with free space for it); free some space, or name other"
                + " directories in "
                + DiskSettings.LOCAL_DIR);
    }

    static String reason(IOException failure) {
        String words = failure.getMessage();
        return words == null
                        || !failure.getClass()
                                // if the exception is of a subclass, its message is only a path, so its type gives the
                                // reason
                                .equals(IOException.class)
                ? failure.getClass().getSimpleName() + (words == null ? "" : ": " + words)
                : words;
    }

    boolean closed() {
        gate.readLock().lock();
        try {
            return closed;
        } finally {
            gate.readLock().unlock();
        }
    }

    @Override
    public void close() {
        gate.writeLock().lock();
        try {
            closed = true;
        } finally {
            gate.writeLock().unlock();
        }
        all.forEach(LocalDirectory::remove);
    }
}
