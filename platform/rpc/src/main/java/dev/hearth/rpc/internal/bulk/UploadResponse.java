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
 * Response to an upload: stores the content. Reading and syncing of whole files runs on disk threads; everything else
 * runs on the channel's event loop, which owns the state. After a failure, arriving chunks are dropped until the other
 * side closes.
 */
final class UploadResponse implements BulkResponse {
    private final BulkServerConnection connection;
    private final BulkRequest.Offer offer;
    private final ContentStore store;
    private ContentStore.@Nullable Incoming incoming;
    private State state = State.OPENING;
    private DiskOperation<?> step; // the current operation, or the last one
    private long missing;

    UploadResponse(BulkServerConnection connection, BulkRequest.Offer offer, ContentStore store) {
        this.connection = connection;
        this.offer = offer;
        this.store = store;
        this.step = DiskOperation.start(connection, offer.subject(), this::open, new Opened());
    }

    @Override
    public void proceed() {
        // nothing to send that needs room
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
        } catch (HearthException ended) { // the lane is closed; the store may stay open
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
            step.cancel(); // otherwise the part stays locked against the next attempt until it has been read
        } else if (before == State.CHECKING) {
            step.detach(); // the disk thread closes the content
        } else if (open != null) {
            open.close();
        }
    }

    /** Content that is already in the store. */
    private record StoredContent(long bytesHere) implements ContentStore.Incoming {
        @Override
        public void write(ByteBuffer bytes) {
            throw new IllegalStateException("content that is here: more bytes of it (expected: none)");
        }

        @Override
        public void finish() {
            // verified when it was stored
        }

        @Override
        public void close() {
            // holds no resources
        }
    }

    /** On a disk thread. */
    private ContentStore.Incoming open() throws IOException {
        return store.find(offer.content()).isPresent()
                ? new StoredContent(offer.size())
                : store.receive(offer.content(), offer.size());
    }

    /** On a disk thread. */
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
            // nothing to do: the content is stored, and the next offer will find it
        }
    }

    /**
     * OPENING, then TAKING while bytes are missing, then CHECKING the whole content; DROPPING chunks after a failure.
     */
    private enum State {
        OPENING,
        TAKING,
        CHECKING,
        DROPPING,
        ENDED
    }
}
