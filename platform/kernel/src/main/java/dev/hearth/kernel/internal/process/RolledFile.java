package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Output file of a child process, rolled over within the bounds of {@link OutputFiles}. If the disk fails, for example
 * because it is full, output is dropped; once the disk works again, a line in the file states how much. Guarded by its
 * own lock.
 */
final class RolledFile {
    private static final Logger LOG = LoggerFactory.getLogger(RolledFile.class);
    private static final long MEBIBYTE = 1024 * 1024;
    private static final int NOTHING_FITS = -1;

    private final Path file;
    private final OutputFiles bounds;
    private final Ticker ticker;
    private final RolledFiles rolled;
    private final long bytesMax;
    private @Nullable FileChannel channel; // null: a new file could not be created yet
    private long size;
    private long openedNanos;
    private long dropped; // since the last successful write
    private long droppedEver;
    private String cause = "";
    private boolean hasWarned;

    /** Output that was dropped: the last cause, and the number of bytes. */
    record Loss(String cause, long bytes) {}

    /**
     * Opens the output file {@code file}. Appends to what it has, which an earlier process of the same child has written.
     * The threads of {@code disk} compress the files that rolling over leaves.
     */
    RolledFile(Path file, OutputFiles bounds, Ticker ticker, Executor disk) throws IOException {
        this.file = file;
        this.bounds = bounds;
        this.ticker = ticker;
        rolled = new RolledFiles(file, bounds, disk);
        bytesMax = bounds.maxSizeMebibytes() * MEBIBYTE;
        open();
    }

    /** Appends a text. */
    void append(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        append(bytes, bytes.length, 0);
    }

    /**
     * Appends the first {@code length} bytes of {@code bytes}. {@code missed} is the number of bytes that the caller
     * had to drop before these, because the disk was too slow.
     */
    synchronized void append(byte[] bytes, int length, long missed) {
        if (missed > 0) {
            dropped += missed;
            droppedEver += missed;
            cause = "the disk was too slow";
        }
        int written = 0;
        try {
            if (length > 0 && size > 0 && isOld()) {
                roll();
            }
            while (written < length || dropped > 0) {
                int fits = fitting(bytes, written, length);
                if (fits == NOTHING_FITS) {
                    roll();
                } else {
                    write(ByteBuffer.wrap(bytes, written, fits));
                    written += fits;
                }
            }
        } catch (IOException failure) {
            dropped += length - written;
            droppedEver += length - written;
            cause = failure instanceof NoSuchFileException ? "the directory is gone" : failure.getMessage();
            if (!hasWarned) {
                hasWarned = true;
                LOG.warn("{}: {} (expected: it can be written); output is dropped until then", file, cause);
            }
        }
    }

    /**
     * Returns how many of the bytes from index {@code from} to {@code length} go into the current file: all if they
     * fit, otherwise the lines that fit. If no whole line fits, as many bytes as fit go into an empty file; otherwise
     * the result is {@code NOTHING_FITS}.
     */
    private int fitting(byte[] bytes, int from, int length) {
        long room = bytesMax - size - notice().length;
        if (length - from <= room) {
            return length - from;
        }
        for (long at = from + room - 1; at >= from; at--) {
            if (bytes[(int) at] == '\n') {
                return (int) at + 1 - from;
            }
        }
        return size == 0 ? (int) room : NOTHING_FITS;
    }

    /** Writes the notice of dropped output, if any, and the bytes: all or nothing. */
    private void write(ByteBuffer bytes) throws IOException {
        FileChannel to = channel == null ? open() : channel;
        int length = bytes.remaining();
        byte[] notice = notice();
        try {
            writeFully(ByteBuffer.wrap(notice), to);
            writeFully(bytes, to);
        } catch (IOException failure) {
            to.truncate(size); // also sets the position
            throw failure;
        }
        size += notice.length + length;
        dropped = 0;
    }

    private static void writeFully(ByteBuffer bytes, FileChannel to) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private byte[] notice() {
        String text =
                dropped == 0 ? "" : "\n[hearth: " + dropped + " bytes of output are missing here: " + cause + "]\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private boolean isOld() {
        return bounds.interval()
                .filter(age -> ticker.nanos() - openedNanos >= age.toNanos())
                .isPresent();
    }

    private void roll() throws IOException {
        rolled.add();
        FileChannel full = channel;
        channel = null;
        size = 0;
        if (full != null) {
            full.close();
        }
        open();
    }

    private FileChannel open() throws IOException {
        FileChannel opened = WorkDirectory.openAtEnd(file);
        channel = opened;
        size = opened.position();
        openedNanos = ticker.nanos();
        return opened;
    }

    /** Returns why output was dropped, and how much; empty if all output was written. */
    synchronized Optional<Loss> loss() {
        return droppedEver == 0 ? Optional.empty() : Optional.of(new Loss(cause, droppedEver));
    }

    /** Closes the file. Before that, tries to write the notice of output that was dropped. */
    synchronized void close() {
        append(new byte[0], 0, 0);
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException failure) {
            LOG.debug("{}: not closed", file, failure);
        }
    }
}
