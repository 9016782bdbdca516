package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Response to an upload, which stores the uploaded file. Reading and syncing of whole files runs on disk threads;
 * everything else runs on the channel's event loop, which owns the state. After a failure, arriving chunks are dropped
 * until the sender closes the connection.
 */
final class UploadResponse implements BulkResponse {
    private final BulkServerConnection connection;
    private final BulkRequest.Offer offer;
    private final ContentStore store;
    private ContentStore.@Nullable Incoming incoming;
    private State state = State.OPENING;
    private DiskOperation<?> step; // the current disk operation, or the last disk operation
    private long missing;

    UploadResponse(BulkServerConnection connection, BulkRequest.Offer offer, ContentStore store) {
        this.connection = connection;
        this.offer = offer;
        this.store = store;
        this.step = DiskOperation.start(connection, offer.subject(), this::open, new Opened());
    }

    @Override
    public void proceed() {
        // nothing to do: an upload sends no chunks that wait for the send window
    }

    @Override
    public boolean wantsChunks() {
        return state == State.TAKING || state == State.DROPPING;
    }

    @Override
    public void take(List<ByteBuf> parts, int length) {
        ContentStore.Incoming target = incoming;
        missing -= length;
        if (missing < 0) {
            connection.close(offer.subject() + ": more bytes than were offered");
        } else if (state == State.TAKING && target != null) {
            try {
                for (ByteBuf part : parts) {
                    target.write(part.nioBuffer());
                }
            } catch (IOException | RuntimeException failure) {
                drop(failure);
                return;
            }
            if (missing == 0) {
                check(target);
            }
        }
    }

    private void check(ContentStore.Incoming whole) {
        state = State.CHECKING;
        try {
            step = DiskOperation.start(connection, offer.subject(), () -> finish(whole), new Finished());
        } catch (HearthException ended) {
            // close the part on this thread: the disk threads are shut down, but the store may stay open
            whole.close();
            fail(ended);
        }
    }

    @Override
    public void damaged(int length) {
        if (state == State.TAKING) {
            drop(ErrorCode.STREAM_DAMAGED.failure(offer.subject() + ": " + length + " bytes with " + missing
                    + " missing are not what was sent (expected: their CRC32C); send them again"));
        }
    }

    @Override
    public void cancel() {
        ContentStore.Incoming open = incoming;
        State before = state;
        state = State.ENDED;
        if (before == State.OPENING) {
            step.cancel(); // cancel: otherwise the next attempt could not use the part file until it is completely read
        } else if (before == State.CHECKING) {
            step.detach(); // do not wait: the disk thread closes the content
        } else if (open != null) {
            open.close();
        }
    }

    /** Upload of content (a file) that is already in the store, so that the remote process need not send any bytes. */
    private record StoredContent(long bytesHere) implements ContentStore.Incoming {
        @Override
        public void write(ByteBuffer bytes) {
            throw new IllegalStateException("content that is here: more bytes of it (expected: none)");
        }

        @Override
        public void finish() {
            // nothing to do: the content was verified when it was stored
        }

        @Override
        public void close() {
            // holds no resources
        }
    }

    /**
     * Opens the upload in the content store. If the store has the file already, the sender need not send any bytes.
     * Called on a disk thread.
     */
    private ContentStore.Incoming open() throws IOException {
        return store.find(offer.content()).isPresent()
                ? new StoredContent(offer.size())
                : store.receive(offer.content(), offer.size());
    }

    /** Verifies and publishes the uploaded content. Called on a disk thread. */
    private static boolean finish(ContentStore.Incoming whole) throws IOException {
        try (whole) {
            whole.finish();
        }
        return true;
    }

    private void fail(Exception failure) {
        if (state != State.ENDED) {
            state = State.ENDED;
            connection.failed(this, offer, "stored", failure);
        }
    }

    private void drop(Exception failure) {
        ContentStore.Incoming target = incoming;
        state = State.DROPPING;
        incoming = null;
        if (target != null) {
            target.close();
        }
        connection.refuse(offer, "stored", failure);
    }

    private final class Opened implements DiskOperation.Outcome<ContentStore.Incoming> {
        @Override
        public void done(ContentStore.Incoming opened) {
            incoming = opened;
            missing = offer.size() - opened.bytesHere();
            StreamInfo head = new StreamInfo(offer.size(), "", opened.bytesHere(), missing);
            connection.window().write(BulkFrameKind.ANSWER, BulkWireFormat.answer(head));
            connection.window().flush();
            state = State.TAKING;
            if (missing == 0) {
                check(opened);
            }
        }

        @Override
        public void failed(Exception failure) {
            fail(failure);
        }

        @Override
        public void unwanted(ContentStore.Incoming opened) {
            opened.close();
        }
    }

    private final class Finished implements DiskOperation.Outcome<Boolean> {
        @Override
        public void done(Boolean stored) {
            if (state != State.ENDED) {
                state = State.ENDED;
                connection.ended(UploadResponse.this);
            }
        }

        @Override
        public void failed(Exception failure) {
            fail(failure);
        }

        @Override
        public void unwanted(Boolean stored) {
            // nothing to do: the content is stored, and the next upload of it will find it
        }
    }

    /**
     * State of an upload: OPENING the part file, then TAKING chunks while bytes are missing, then CHECKING the whole
     * content. After a failure: DROPPING chunks.
     */
    private enum State {
        OPENING,
        TAKING,
        CHECKING,
        DROPPING,
        ENDED
    }
}
