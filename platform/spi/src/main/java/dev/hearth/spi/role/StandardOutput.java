package dev.hearth.spi.role;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of a process. Keeps the first failure to write, whereas a {@link PrintStream} only records that there
 * was one. After that failure nothing is written, so that the output is cut in one place only. Thread-safe.
 */
public final class StandardOutput extends PrintStream {
    private static final int BUFFER_BYTES = 8192;
    private static final String BROKEN_PIPE = "Broken pipe";

    private final Destination destination;
    private final BooleanSupplier pipe;

    private StandardOutput(Destination destination, Charset charset, BooleanSupplier pipe) {
        super(new BufferedOutputStream(destination, BUFFER_BYTES), true, charset);
        this.destination = destination;
        this.pipe = pipe;
    }

    /**
     * Creates an output that writes to {@code out}. {@code pipe}, called after a failed write, says whether {@code out}
     * is a pipe, whose reader may have closed it. The message of the failure may not show this, because its language
     * depends on the system.
     */
    public static StandardOutput to(OutputStream out, Charset charset, BooleanSupplier pipe) {
        return new StandardOutput(new Destination(out), charset, pipe);
    }

    /**
     * Flushes {@code out}, and returns a {@code DISK_FAILED} if any output could not be written; empty if all was
     * written. If a reader closed its end of the pipe, it needs no more output, so the result is empty as well.
     */
    public static Optional<HearthException> loss(PrintStream out) {
        return isClosedByReader(out)
                ? Optional.empty()
                : failure(out)
                        .map(failure -> ErrorCode.DISK_FAILED.failure(
                                "standard output: cannot be written: " + failure.getMessage()
                                        + " (expected: room for all results); what was printed is incomplete",
                                failure));
    }

    /** Whether the reader has closed its end of the pipe, as {@code head -1} does, before all was written. */
    public static boolean isClosedByReader(PrintStream out) {
        Optional<IOException> failure = failure(out);
        return failure.isPresent()
                && out instanceof StandardOutput own
                && (BROKEN_PIPE.equals(failure.get().getMessage()) || own.pipe.getAsBoolean());
    }

    private static Optional<IOException> failure(PrintStream out) {
        out.flush();
        return out instanceof StandardOutput own ? Optional.ofNullable(own.destination.failure) : Optional.empty();
    }

    /**
     * Passes bytes on to {@code out} until a write fails, and then refuses all further bytes with the same exception.
     */
    private static final class Destination extends OutputStream {
        private final OutputStream out;
        private volatile @Nullable IOException failure;

        Destination(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            IOException first = failure;
            if (first != null) {
                throw first;
            }
            try {
                out.write(bytes, offset, length);
            } catch (IOException refused) {
                failure = refused;
                throw refused;
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
