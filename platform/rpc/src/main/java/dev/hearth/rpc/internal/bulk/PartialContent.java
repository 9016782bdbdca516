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

/** One writer's part of content on its way into a store. Used by one thread at a time; other threads read its count. */
final class PartialContent implements ContentStore.Incoming {
    private static final Logger LOG = LoggerFactory.getLogger(PartialContent.class);

    private final DirectoryContentStore store;
    private final ContentId content;
    private final Path file;
    private final long size;
    private final MessageDigest digest = ContentId.digest();
    private volatile @Nullable FileChannel channel; // closed by the store when that is closed
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

    /** Goes on behind the {@code left} bytes of an earlier writer, if these can be a part of it. */
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
        } catch (
                ClosedByInterruptException
                        unwanted) { // nobody waits for it now; what there is may still be gone on with
            written.set(left);
            throw unwanted;
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
        long at = written.get(); // wherever a write that failed has left the file's own position
        try {
            while (bytes.hasRemaining()) {
                at += opened.write(bytes, at);
            }
        } catch (IOException failure) { // a full disk needs the room
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
            throw ErrorCode.STREAM_DAMAGED.failure("content " + content + ": what came is " + found + " of " + written
                    + " bytes (expected: what it is called, of " + size + "); did the file change while it was sent?");
        }
        opened.force(true); // its name says what is in it: that must hold after a power cut too
        opened.close();
        store.complete(this);
        ended = true;
        store.settle(this);
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
                opened.truncate(bytesHere()); // a write that failed may have left something
                opened.close();
            }
        } catch (ClosedChannelException left) {
            LOG.debug("Part {}: left with its store", file.getFileName(), left);
        } catch (IOException failure) {
            LOG.warn("Part {}: cannot be closed", file.getFileName(), failure);
        }
        store.leave(this, written.get());
    }

    /** Its store is closed: from now on the file may be another writer's. Any thread may call. */
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
