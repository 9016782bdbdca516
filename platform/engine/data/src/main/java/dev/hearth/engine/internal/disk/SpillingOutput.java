package dev.hearth.engine.internal.disk;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.encryption.EncryptedBlocks;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.shuffle.FileSegment;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Output stream for a serialised value of unknown size. A small value stays in memory, and a larger one is written to a
 * file, so that it is never in memory twice. Owned by one thread; ended by {@link #finish} or {@link #abandon}.
 */
public final class SpillingOutput extends OutputStream {
    private static final int FIRST_BYTES = 512;
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final FileSegment UNPLACED = new FileSegment("", 0, 0, 0, 0);

    private final Supplier<? extends TemporaryFiles> files;
    private final String subject;
    private final CRC32C check = new CRC32C();
    private final int inlineBytesMax;
    private byte[] buffer = new byte[FIRST_BYTES];
    private int filled;
    private long written; // to the file
    private @Nullable ReceivedFile file;
    private EncryptedBlocks.@Nullable Writer sealing;
    private @Nullable HearthException refusal; // the error if the file could not be written

    /**
     * Creates a stream that holds at most {@code inlineBytesMax} bytes in memory. A larger value is written to a
     * temporary file of {@code files}. {@code subject} names the value in errors.
     */
    public SpillingOutput(int inlineBytesMax, Supplier<? extends TemporaryFiles> files, String subject) {
        this.inlineBytesMax = inlineBytesMax;
        this.files = files;
        this.subject = subject;
    }

    /**
     * Value that a {@link SpillingOutput} has written: a small one is {@code inline}, a larger one is in {@code file}.
     * The file is encrypted as {@link EncryptedBlocks} if the temporary files are encrypted. {@code bytes} is the
     * stored size of the value. {@code checksum} is the CRC32C of the file's bytes, 0 without a file.
     */
    public record Written(Bytes inline, Optional<PartitionedFile> file, long bytes, long checksum) {}

    @Override
    public void write(int one) {
        makeRoom();
        buffer[filled++] = (byte) one;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        for (int done = 0; done < length; ) {
            makeRoom();
            int count = Math.min(length - done, buffer.length - filled);
            System.arraycopy(bytes, from + done, buffer, filled, count);
            filled += count;
            done += count;
        }
    }

    private void makeRoom() {
        if (filled < buffer.length) {
            return;
        }
        if (file != null) {
            flushBuffer(file);
        } else if (filled < inlineBytesMax) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * filled, inlineBytesMax));
        } else {
            TemporaryFiles own = files.get();
            ReceivedFile begun = own.receive(subject);
            file = begun;
            sealing = own.key().map(EncryptedBlocks.Writer::new).orElse(null);
            flushBuffer(begun);
            buffer = new byte[BUFFER_BYTES];
        }
    }

    private void flushBuffer(ReceivedFile into) {
        try {
            if (sealing == null) {
                write(into, buffer, filled);
            } else {
                sealing.write(buffer, filled, (bytes, length) -> write(into, bytes, length));
            }
        } catch (HearthException refused) {
            // keep the failure, because the serialiser of the value may wrap it in an error of its own
            refusal = refused;
            throw refused;
        }
        filled = 0;
    }

    private void write(ReceivedFile into, byte[] bytes, int length) {
        check.update(bytes, 0, length);
        into.write(bytes, length);
        written += length;
    }

    /**
     * The error if the temporary file of a large value could not be written. Empty if the file was written or was not
     * needed.
     */
    public Optional<HearthException> refusal() {
        return Optional.ofNullable(refusal);
    }

    public Written finish() {
        ReceivedFile into = file;
        if (into == null) {
            return new Written(Bytes.owning(Arrays.copyOf(buffer, filled)), Optional.empty(), filled, 0);
        }
        flushBuffer(into);
        file = null;
        return new Written(Bytes.EMPTY, Optional.of(into.part(UNPLACED)), written, check.getValue());
    }

    public void abandon() {
        ReceivedFile begun = file;
        file = null;
        if (begun != null) {
            begun.abandon();
        }
    }
}
