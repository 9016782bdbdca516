package dev.hearth.engine.internal.io;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one attempt at a task writes of a job's output: a file nobody else sees, which {@link #commit} puts among the committed
 * ones in one step. Owned by the attempt's thread; an interrupt does not disturb it. Ends by {@link #commit} or
 * {@link #close}, after which nothing of the attempt is left but a committed part.
 */
public final class TaskOutputFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskOutputFile.class);

    private final Path directory;
    private final Path file;
    private final Path committed;
    private final Sink sink;
    private final OutputStream out;
    private long written;
    private boolean ended;

    public TaskOutputFile(OutputTarget target, int stageAttempt, int partition, int attempt) {
        this(target, stageAttempt, partition, attempt, file -> new FileOutputStream(file.toFile()));
    }

    TaskOutputFile(OutputTarget target, int stageAttempt, int partition, int attempt, Opening opening) {
        this.directory = target.attempt(stageAttempt, partition, attempt);
        this.file = directory.resolve(target.part(partition));
        this.committed = target.committed().resolve(target.part(partition));
        try {
            Files.createDirectory(directory); // not those above it: an aborted job must not come back
            this.sink = new Sink(opening.open(file));
        } catch (IOException failure) {
            remove();
            throw failed("cannot be made", failure);
        }
        try {
            this.out = target.codec().encode(sink);
        } catch (IOException failure) {
            HearthException told = failed("cannot be written", failure);
            discard(sink);
            throw told;
        }
    }

    /** How a file that is not there yet is opened. */
    interface Opening {
        FileOutputStream open(Path file) throws IOException;
    }

    /** The file itself. Syncs it before it closes it; once it discards, takes what comes and writes nothing. */
    private static final class Sink extends OutputStream {
        private final FileOutputStream out;
        private long bytes;
        private boolean discards;
        private boolean closed;

        Sink(FileOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (!discards) {
                out.write(bytes, from, length);
                this.bytes += length;
            }
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            try (out) {
                if (!discards) {
                    out.getFD().sync();
                }
            }
        }
    }

    /** Adds bytes. What fails leaves nothing of the file. */
    public void write(byte[] bytes, int from, int length) {
        try {
            out.write(bytes, from, length);
            written += length;
        } catch (IOException failure) {
            throw ended(failed("cannot be written", failure));
        }
    }

    /** The bytes written so far, before they were compressed. */
    public long written() {
        return written;
    }

    /** The bytes of the file so far, as they lie there; whole once it was committed. */
    public long stored() {
        return sink.bytes;
    }

    /**
     * Brings the file to the disk, asks for leave, and puts it among the committed ones; without leave removes it. Returns whether
     * it was committed. A part that an earlier attempt put there, and which failed afterwards, is replaced.
     */
    public boolean commit(BooleanSupplier mayCommit) {
        try {
            out.close();
        } catch (IOException failure) {
            throw ended(failed("cannot be written to its end", failure));
        }
        try {
            boolean may = mayCommit.getAsBoolean();
            if (may) {
                Files.move(file, committed, StandardCopyOption.ATOMIC_MOVE);
            }
            return may;
        } catch (IOException failure) {
            throw failed("cannot be put among the committed parts", failure);
        } finally {
            close();
        }
    }

    private HearthException ended(HearthException failure) {
        close();
        return failure;
    }

    /** Removes what was not committed. Later calls do nothing. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            discard(out);
        }
    }

    private void discard(OutputStream open) {
        sink.discards = true;
        try {
            open.close();
        } catch (IOException failure) {
            LOG.warn("output {}: cannot be closed, {}", file, failure.toString());
        }
        remove();
    }

    private void remove() {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        } catch (IOException failure) { // it lies under _temporary, which goes with the job
            LOG.warn("output {}: cannot be removed, {}", file, failure.toString());
        }
    }

    private HearthException failed(String what, IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "output " + file + ": " + what + " behind byte " + written + ", " + failure
                        + " (expected: room, and the directory that the job made); look after its disk",
                failure);
    }
}
