package dev.hearth.engine.internal.io;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Output file of one task attempt. Readers cannot see it until {@link #commit} moves it to the committed files by one
 * atomic rename. Owned by the attempt's thread; an interrupt of the thread does not close the file. Ended by {@link
 * #commit} or {@link #close}. If the attempt does not commit, the files of the attempt are deleted.
 */
public final class TaskOutputFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskOutputFile.class);

    private final FileStore store;
    private final FileName directory;
    private final FileName file;
    private final FileName committed;
    private final Sink sink;
    private final OutputStream out;
    private long written;
    private boolean ended;

    public TaskOutputFile(OutputTarget target, int stageAttempt, int partition, int attempt, ApplicationStores stores) {
        this.directory = target.attempt(stageAttempt, partition, attempt);
        this.store = stores.of(directory);
        this.file = directory.child(target.part(partition));
        this.committed = target.committed().child(target.part(partition));
        try {
            // fails if the parents are missing: a late task must not create the directory of an aborted job again
            store.directory(directory, true);
            this.sink = new Sink(store.create(file, true));
        } catch (IOException failure) {
            remove();
            throw failed("cannot be created", failure);
        }
        try {
            this.out = target.codec().encode(sink);
        } catch (IOException failure) {
            HearthException failed = failed("cannot be written", failure);
            discard(sink);
            throw failed;
        }
    }

    /**
     * Stream that writes to the file, which its end makes durable. Once {@code discards} is set, it ignores all further
     * bytes, and the file need not be durable.
     */
    private static final class Sink extends OutputStream {
        private final StoreOutput out;
        private long bytes;
        private boolean discards;
        private boolean closed;

        Sink(StoreOutput out) {
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
            try {
                if (!discards) {
                    out.close();
                }
            } finally {
                out.discard();
            }
        }
    }

    /**
     * Appends {@code length} bytes of {@code bytes}, from index {@code from} on, to the file. If this fails, the file
     * is deleted.
     */
    public void write(byte[] bytes, int from, int length) {
        try {
            out.write(bytes, from, length);
            written += length;
        } catch (IOException failure) {
            throw ended(failed("cannot be written", failure));
        }
    }

    /** Number of bytes that {@link #write} has accepted so far, before compression. */
    public long written() {
        return written;
    }

    /** Number of bytes in the file so far, after compression. The number is final after the commit. */
    public long stored() {
        return sink.bytes;
    }

    /**
     * Makes the file durable and asks {@code mayCommit} for permission. If it is granted, moves the file to
     * the committed files, else deletes it. Returns whether the file was committed. The file replaces that of an
     * earlier attempt, which committed but then failed.
     */
    public boolean commit(BooleanSupplier mayCommit) {
        try {
            out.close();
        } catch (IOException failure) {
            throw ended(failed("cannot be completed", failure));
        }
        try {
            boolean may = mayCommit.getAsBoolean();
            if (may) {
                if (!store.rename(file, committed, true)) {
                    throw new FileAlreadyExistsException(committed.toString());
                }
            }
            return may;
        } catch (IOException failure) {
            throw failed("cannot be moved to the committed parts", failure);
        } finally {
            close();
        }
    }

    private HearthException ended(HearthException failure) {
        close();
        return failure;
    }

    /** Deletes the file unless it was committed. Later calls do nothing. */
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
            store.remove(file, false);
            store.remove(directory, false);
        } catch (IOException failure) { // harmless: the file is below _temporary, which is removed with the job
            LOG.warn("output {}: cannot be removed, {}", file, failure.toString());
        }
    }

    private HearthException failed(String what, IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "output " + file + ": " + what + " after byte " + written + ", " + failure
                        + " (expected: free space, and the directory that the job created); check its disk or its storage",
                failure);
    }
}
