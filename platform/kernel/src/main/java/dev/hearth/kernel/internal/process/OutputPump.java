package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one output of a child process from its pipe to a {@link RolledFile}, and keeps the last bytes in memory.
 * <p>A thread of its own reads the pipe, so that the child never waits for the disk: it waits only while the disk makes
 * progress. If no buffer was written within {@link #STALL}, output is dropped and counted until the disk is back. The
 * buffers are guarded by the lock of this object.
 */
final class OutputPump {
    /** Time after which output is dropped, if the disk has not written any buffer in that time. */
    static final Duration STALL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int BUFFERS = 4;

    private final InputStream pipe;
    private final RolledFile file;
    private final Executor disk;
    private final Deque<byte[]> empty = new ArrayDeque<>();
    private final Deque<Chunk> full = new ArrayDeque<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private final byte[] tail = new byte[ChildProcess.TAIL_BYTES_MAX];
    private long read; // bytes in all; the last ones are in the tail, at this number modulo its length
    private boolean isWriting;
    private boolean isStalled;

    /** {@code pipe} is the output of the child, and {@code disk} runs the writes to {@code file}, one at a time. */
    OutputPump(InputStream pipe, RolledFile file, Executor disk) {
        this.pipe = pipe;
        this.file = file;
        this.disk = disk;
        for (int i = 0; i < BUFFERS; i++) {
            empty.add(new byte[BUFFER_BYTES]);
        }
    }

    /**
     * Output that is to be written to the file. {@code missed} is the number of bytes that were dropped before it. A
     * chunk without bytes marks the end of the output.
     */
    private static final class Chunk {
        private final byte[] bytes;
        private final int length;
        private final long missed;

        Chunk(byte[] bytes, int length, long missed) {
            this.bytes = bytes;
            this.length = length;
            this.missed = missed;
        }
    }

    void start(String name) {
        Thread reader = new Thread(null, this::pump, name, 0, false);
        reader.setDaemon(true);
        reader.setContextClassLoader(OutputPump.class.getClassLoader()); // not that of an application
        reader.start();
    }

    /** Completes when the pipe has ended and all output is in the file. */
    CompletionStage<Void> drained() {
        return drained.minimalCompletionStage();
    }

    /** Returns why output was dropped, and how much; empty if all output so far was written. */
    Optional<RolledFile.Loss> loss() {
        return file.loss();
    }

    private void pump() {
        byte[] spare = new byte[BUFFER_BYTES];
        long missed = 0;
        try {
            while (true) {
                byte[] buffer = takeEmpty();
                byte[] target = buffer == null ? spare : buffer;
                int length = pipe.read(target);
                if (length < 0) {
                    break;
                }
                remember(target, length);
                if (buffer == null) {
                    missed += length;
                } else {
                    offer(new Chunk(buffer, length, missed));
                    missed = 0;
                }
            }
        } catch (IOException | InterruptedException failure) {
            LOG.debug("{}: ends early", Thread.currentThread().getName(), failure);
        }
        offer(new Chunk(spare, 0, missed));
    }

    /** Waits for an empty buffer, and returns null if the disk has made no progress within {@link #STALL}. */
    private synchronized byte @Nullable [] takeEmpty() throws InterruptedException {
        long deadline = System.nanoTime() + STALL.toNanos();
        while (empty.isEmpty() && !isStalled) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                isStalled = true;
            } else {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        return empty.poll();
    }

    private synchronized void offer(Chunk chunk) {
        full.add(chunk);
        if (!isWriting) {
            isWriting = true;
            disk.execute(this::writeAll);
        }
    }

    private void writeAll() {
        for (Chunk chunk = next(); chunk != null; chunk = next()) {
            file.append(chunk.bytes, chunk.length, chunk.missed);
            if (chunk.length == 0) {
                file.close();
                drained.complete(null);
            } else {
                recycle(chunk.bytes);
            }
        }
    }

    private synchronized @Nullable Chunk next() {
        isWriting = !full.isEmpty();
        return full.poll();
    }

    private synchronized void recycle(byte[] buffer) {
        empty.add(buffer);
        isStalled = false;
        notifyAll();
    }

    private synchronized void remember(byte[] bytes, int length) {
        for (int from = Math.max(0, length - tail.length); from < length; ) {
            int at = (int) ((read + from) % tail.length);
            int part = Math.min(length - from, tail.length - at);
            System.arraycopy(bytes, from, tail, at, part);
            from += part;
        }
        read += length;
    }

    /** Last {@code bytesMax} bytes, at most {@link ChildProcess#TAIL_BYTES_MAX}, in whole characters. */
    synchronized String tail(int bytesMax) {
        int length = (int) Math.min(read, Math.min(bytesMax, tail.length));
        byte[] last = new byte[length];
        for (int i = 0; i < length; i++) {
            last[i] = tail[(int) ((read - length + i) % tail.length)];
        }
        int from = 0;
        // Skip the rest of a character that was cut at the front: bytes of the form 10xxxxxx.
        while (read > length && from < length && (last[from] & 0xC0) == 0x80) {
            from++;
        }
        return new String(Arrays.copyOfRange(last, from, length), StandardCharsets.UTF_8);
    }
}
