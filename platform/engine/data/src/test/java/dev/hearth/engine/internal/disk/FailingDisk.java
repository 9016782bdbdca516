package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Disk double whose directories have limited room; it counts open files. A failing write writes part of the
 * bytes.
 */
final class FailingDisk implements Disk {
    private final Disk real = new SystemDisk();
    private final Map<Path, AtomicLong> rooms = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private volatile boolean unreadable;
    private volatile boolean closesFail;

    /** Limits {@code directory} to that many further bytes. */
    void room(Path directory, long bytes) {
        rooms.put(directory, new AtomicLong(bytes));
    }

    void unreadable(boolean now) {
        unreadable = now;
    }

    void closesFail(boolean now) {
        closesFail = now;
    }

    int open() {
        return open.get();
    }

    int opened() {
        return opened.get();
    }

    private AtomicLong room(Path file) {
        return rooms.entrySet().stream()
                .filter(room -> file.startsWith(room.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> new AtomicLong(Long.MAX_VALUE));
    }

    @Override
    public OutputStream create(Path file) throws IOException {
        OutputStream out = real.create(file);
        open.incrementAndGet();
        AtomicLong room = room(file);
        return new OutputStream() {
            private boolean closed;

            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                long left = Math.max(0, room.getAndAdd(-length));
                out.write(bytes, from, (int) Math.min(left, length));
                if (left < length) {
                    throw new IOException("No space left on device");
                }
            }

            @Override
            public void close() throws IOException {
                if (!closed) {
                    closed = true;
                    open.decrementAndGet();
                    out.close();
                    if (closesFail) {
                        closesFail = false;
                        throw new IOException("Input/output error");
                    }
                }
            }
        };
    }

    @Override
    public DiskInput open(Path file) throws IOException {
        if (unreadable) {
            throw new IOException("Input/output error");
        }
        DiskInput in = real.open(file);
        open.incrementAndGet();
        opened.incrementAndGet();
        return new DiskInput() {
            @Override
            public int read(long position, byte[] into, int at, int length) throws IOException {
                if (unreadable) {
                    throw new IOException("Input/output error");
                }
                return in.read(position, into, at, length);
            }

            @Override
            public long size() throws IOException {
                return in.size();
            }

            @Override
            public void close() throws IOException {
                open.decrementAndGet();
                in.close();
            }
        };
    }

    @Override
    public void delete(Path file) throws IOException {
        real.delete(file);
    }
}
