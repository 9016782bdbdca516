package dev.hearth.rpc.internal.http;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.BodySource;
import dev.hearth.spi.net.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.stream.ChunkedInput;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Response body that a {@link BodySource} of a handler produces while the client reads. Asks the source for the next
 * piece when the channel has room for it; until the piece arrives, the response pauses. The source is called on the
 * handler pool, one call at a time; everything else is owned by the event loop of the channel.
 */
final class StreamPieces implements ChunkedInput<ByteBuf> {
    /** Memory that is reserved for a body of this kind before it begins: a piece, and what waits in the channel. */
    static final int HELD_BYTES = 128 * 1024;

    private static final int PIECE_BYTES = 64 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(StreamPieces.class);

    private final BodySource source;
    private final Executor calls;
    private final Hooks hooks;
    private @Nullable ByteBuf piece; // null unless a part of it is still to be written
    private @Nullable Throwable failure; // null unless the source has failed
    private boolean asked;
    private boolean ended;
    private boolean closed;
    private long writtenBytes;
    private volatile boolean calling;

    /** Creates the body from {@code source}, which is called by {@code calls}. */
    StreamPieces(BodySource source, Executor calls, Hooks hooks) {
        this.source = source;
        this.calls = calls;
        this.hooks = hooks;
    }

    /**
     * Parts of the connection that the body needs: its event loop; an action that lets the connection ask for the next
     * chunk again; one that records progress; and one that reserves memory for a piece of the given size.
     */
    record Hooks(Executor loop, Runnable resume, Runnable progressed, LongPredicate reserve) {}

    /** Whether the source has been asked for a piece and has not delivered it. */
    boolean waitsForSource() {
        return asked;
    }

    /** Whether a call of the source is running. Thread-safe. */
    boolean isCalling() {
        return calling;
    }

    @Override
    public boolean isEndOfInput() {
        return ended;
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // the interface demands it
    public @Nullable ByteBuf readChunk(ChannelHandlerContext context) throws IOException {
        return readChunk(context.alloc());
    }

    @Override
    public @Nullable ByteBuf readChunk(ByteBufAllocator allocator) throws IOException {
        if (failure != null) {
            throw new IOException("a streamed body failed", failure);
        }
        hooks.progressed().run();
        ByteBuf rest = piece;
        if (rest == null) {
            ask();
            return null;
        }
        ByteBuf next = rest;
        if (rest.readableBytes() > PIECE_BYTES) {
            next = rest.readRetainedSlice(PIECE_BYTES);
        } else {
            piece = null;
        }
        writtenBytes += next.readableBytes();
        return next;
    }

    @Override
    public long length() {
        return -1;
    }

    @Override
    public long progress() {
        return writtenBytes;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ByteBuf rest = piece;
            if (rest != null) {
                rest.release();
                piece = null;
            }
            close(source, calls);
        }
    }

    /** Closes {@code source} on a thread of {@code calls}; a failure is logged. */
    static void close(BodySource source, Executor calls) {
        calls.execute(() -> {
            try {
                source.close();
            } catch (RuntimeException | LinkageError mistake) {
                LOG.warn("a streamed body: closing its source failed", mistake);
            }
        });
    }

    private void ask() {
        if (asked || ended || closed) {
            return;
        }
        asked = true;
        calls.execute(() -> {
            CompletionStage<Optional<Bytes>> next;
            calling = true;
            try {
                next = Objects.requireNonNull(source.next(), "the stage of the next piece");
            } catch (Exception | LinkageError mistake) {
                inLoop(some -> fail(mistake));
                return;
            } finally {
                calling = false;
            }
            next.whenComplete((bytes, mistake) -> inLoop(some -> {
                if (mistake != null) {
                    fail(Failures.unwrap(mistake));
                } else {
                    arrived(bytes);
                }
            }));
        });
    }

    private void inLoop(Consumer<StreamPieces> action) {
        hooks.loop().execute(() -> {
            asked = false;
            if (!closed) {
                action.accept(this);
                hooks.resume().run();
            }
        });
    }

    private void arrived(Optional<Bytes> bytes) {
        if (bytes.isEmpty()) {
            ended = true;
            return;
        }
        int size = bytes.get().size();
        if (!hooks.reserve().test(Math.max(HELD_BYTES, (long) size + PIECE_BYTES))) {
            fail(new IOException("a piece of " + size + " bytes (expected: room for it in"
                    + " hearth.rest.maxResponseMemory); send smaller pieces"));
        } else if (size > 0) {
            bytes.get().read(content -> piece = Unpooled.wrappedBuffer(content));
        }
    }

    private void fail(Throwable mistake) {
        failure = mistake;
        LOG.warn("a streamed body failed after {} bytes; the connection is closed", writtenBytes, mistake);
    }
}
