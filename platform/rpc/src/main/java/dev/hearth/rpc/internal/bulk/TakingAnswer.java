package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamInfo;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes content into a store. What reads or syncs whole files runs on the disk's threads; the rest, and all state, belongs
 * to the channel's event loop. After a failure the chunks that are under way are dropped until the other side closes.
 */
final class TakingAnswer implements Answering {
    private final ServerConnection connection;
    private final BulkRequest.Offer offer;
    private final ContentStore store;
    private ContentStore.@Nullable Incoming incoming;
    private State state = State.OPENING;
    private long missing;

    TakingAnswer(ServerConnection connection, BulkRequest.Offer offer, ContentStore store) {
        this.connection = connection;
        this.offer = offer;
        this.store = store;
        connection.services().disk().execute(this::open);
    }

    @Override
    public void proceed() {
        // nothing is sent that would have to wait
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
            connection.services().disk().execute(() -> finish(whole));
        } catch (RejectedExecutionException ended) { // the lane is closed; the store may live on
            whole.close();
            fail(ErrorCode.PEER_LOST.failure(
                    offer.subject() + ": this process closes its connections (expected: an open one)", ended));
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
        boolean ours = open != null && state != State.CHECKING; // else whoever checks it closes it
        state = State.ENDED;
        if (ours) {
            open.close();
        }
    }

    /** Content that is here already. */
    private record Known(long bytesHere) implements ContentStore.Incoming {
        @Override
        public void write(ByteBuffer bytes) {
            throw new IllegalStateException("content that is here: more bytes of it (expected: none)");
        }

        @Override
        public void finish() {
            // it was checked when it came
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    /** On a thread of the disk. */
    private void open() {
        try {
            ContentStore.Incoming opened = store.find(offer.content()).isPresent()
                    ? new Known(offer.size())
                    : store.receive(offer.content(), offer.size());
            connection.onLoop(() -> opened(opened), opened::close);
        } catch (IOException | RuntimeException failure) {
            connection.onLoop(() -> fail(failure), () -> {});
        }
    }

    private void opened(ContentStore.Incoming opened) {
        if (state == State.ENDED) {
            opened.close();
            return;
        }
        incoming = opened;
        missing = offer.size() - opened.bytesHere();
        StreamInfo head = new StreamInfo(offer.size(), "", opened.bytesHere(), missing);
        connection.window().write(FrameKind.ANSWER, Wire.answer(head));
        connection.window().flush();
        state = State.TAKING;
        if (missing == 0) {
            check(opened);
        }
    }

    /** On a thread of the disk. */
    private void finish(ContentStore.Incoming whole) {
        try (whole) {
            whole.finish();
        } catch (IOException | RuntimeException failure) {
            connection.onLoop(() -> fail(failure), () -> {});
            return;
        }
        connection.onLoop(
                () -> {
                    if (state != State.ENDED) {
                        state = State.ENDED;
                        connection.ended(this);
                    }
                },
                () -> {});
    }

    private void fail(Exception failure) {
        if (state != State.ENDED) {
            state = State.ENDED;
            connection.failed(this, described(failure));
        }
    }

    private void drop(Exception failure) {
        ContentStore.Incoming target = incoming;
        state = State.DROPPING;
        incoming = null;
        if (target != null) {
            target.close();
        }
        connection.refuse(described(failure));
    }

    private Exception described(Exception failure) {
        return failure instanceof IOException
                ? ErrorCode.DISK_FAILED.failure(
                        offer.subject() + ": cannot be stored, " + failure + " (expected: a disk with room)", failure)
                : failure;
    }

    /** OPENING, then TAKING while bytes are missing, CHECKING the whole; DROPPING after a failure in the middle. */
    private enum State {
        OPENING,
        TAKING,
        CHECKING,
        DROPPING,
        ENDED
    }
}
