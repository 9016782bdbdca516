package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Incomplete upload that one writer is storing in a {@link DirectoryContentStore}. Used by one thread at a time; other
 * threads may read its size.
 */
final class PartialContent implements ContentStore.Incoming {
    private static final Logger LOG = LoggerFactory.getLogger(PartialContent.class);

    private final DirectoryContentStore store;
    private final ContentId content;
    private final Path file;
    private final long size;
    private final MessageDigest digest = ContentId.digest();
    private volatile @Nullable FileChannel channel; // channel of the open part file; closing the store closes it too
    private final AtomicLong written = new AtomicLong();
    private volatile boolean abandoned;
    private boolean ended;

    PartialContent(DirectoryContentStore store, ContentId content, Path file, long size) {
        this.store = store;
        this.content = content;
        this.file = file;
        this.size = size;
    }

    ContentId content() {
        return content;
    }

    Path file() {
        return file;
    }

    long size() {
        return size;
    }

    /**
     * Opens the part file and resumes after the bytes in it; a file longer than the content is emptied first. {@code
     * left} is the number of bytes of an earlier writer. If an interrupt stops this method, they are kept for the next
     * writer.
     */
    void open(long left) throws IOException {
        FileChannel opened = BulkFilePermissions.openFile(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        channel = opened;
        if (abandoned) {
            opened.close();
        }
        try {
            if (opened.size() > size) {
                opened.truncate(0);
            }
            ContentId.read(opened, digest);
        } catch (ClosedByInterruptException cancelled) {
            written.set(left); // keep the file: another writer may resume after the existing bytes
            throw cancelled;
        }
        written.set(opened.position());
    }

    @Override
    public long bytesHere() {
        return written.get();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (length > size - written.get()) {
            throw ErrorCode.BAD_ARGUMENT.failure("content " + content + ": " + length + " bytes after " + written
                    + " of " + size + " (expected: no more than was offered)");
        }
        ByteBuffer added = bytes.duplicate();
        FileChannel opened = requireOpen();
        long at = written.get(); // count the bytes here: a failed write may have moved the position of the file
        try {
            while (bytes.hasRemaining()) {
                at += opened.write(bytes, at);
            }
        } catch (IOException failure) { // delete the bytes, because a full disk needs the space
            discard();
            throw failure;
        }
        digest.update(added);
        written.addAndGet(length);
    }

    @Override
    public void finish() throws IOException {
        FileChannel opened = requireOpen();
        ContentId found = ContentId.of(digest);
        if (written.get() != size || !found.equals(content)) {
            discard();
            throw ErrorCode.STREAM_DAMAGED.failure("content " + content + ": received " + found + " of " + written
                    + " bytes (expected: content of that hash, of " + size
                    + "); did the file change while it was sent?");
        }
        // sync before the rename: the final name guarantees complete content, even after a power failure
        opened.force(true);
        opened.close();
        store.complete(this);
        ended = true;
        store.syncPublished(this);
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            FileChannel opened = channel;
            if (opened != null && opened.isOpen()) {
                // truncate the file, because a failed write may have left bytes at its end
                opened.truncate(bytesHere());
                opened.close();
            }
        } catch (ClosedChannelException left) {
            LOG.debug("Part {}: closed with its store", file.getFileName(), left);
        } catch (IOException failure) {
            LOG.warn("Part {}: cannot be closed", file.getFileName(), failure);
        }
        store.release(this, written.get());
    }

    /**
     * Stops writing and closes the part file. Called when the store closes, because the file may belong to another
     * process afterwards. Thread-safe.
     */
    void abandon() throws IOException {
        abandoned = true;
        FileChannel opened = channel;
        if (opened != null) {
            opened.close();
        }
    }

    private void discard() {
        written.set(0);
        close();
    }

    private FileChannel requireOpen() {
        FileChannel opened = channel;
        if (opened == null || ended) {
            throw new IllegalStateException("part of content " + content + ": closed (expected: an open one)");
        }
        return opened;
    }
}
