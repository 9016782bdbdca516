package dev.hearth.spi.rpc;

import dev.hearth.spi.loop.EventLoop;
import java.util.Optional;

/**
 * Execution mode of an endpoint. In every mode the endpoint handles one message at a time, and the messages of one peer
 * in the order of sending. Immutable.
 * <p>Once {@code waitingMax} messages are queued, asks (messages that expect an answer) fail with
 * {@code ENDPOINT_BUSY}. Other messages cause back-pressure and are never dropped: connections of their senders are not
 * read until half of the queue is handled.
 */
public final class Dispatch {
    /** Default of the limit {@link #waitingMax} of queued messages per endpoint. */
    public static final int WAITING_MAX_DEFAULT = 1 << 20;

    private final Kind kind;
    private final Optional<EventLoop> loop;
    private final int waitingMax;

    private Dispatch(Kind kind, Optional<EventLoop> loop, int waitingMax) {
        if (waitingMax < 1) {
            throw new IllegalArgumentException("messages that may wait: " + waitingMax + " (expected: 1 or more)");
        }
        this.kind = kind;
        this.loop = loop;
        this.waitingMax = waitingMax;
    }

    /**
     * Mode that runs the endpoint as actions of {@code loop}, which the caller owns. It is for endpoints that share
     * state with other work on that loop.
     */
    public static Dispatch on(EventLoop loop) {
        return new Dispatch(Kind.LOOP, Optional.of(loop), WAITING_MAX_DEFAULT);
    }

    /**
     * Mode that runs the endpoint on a thread pool, which all endpoints of the RPC environment with this mode share.
     * Handlers may compute but must not block.
     */
    public static Dispatch shared() {
        return new Dispatch(Kind.SHARED, Optional.empty(), WAITING_MAX_DEFAULT);
    }

    /**
     * Mode that runs the endpoint immediately on the thread that read the message, for handlers of a few microseconds
     * that never block.
     */
    public static Dispatch inline() {
        return new Dispatch(Kind.INLINE, Optional.empty(), WAITING_MAX_DEFAULT);
    }

    /**
     * Mode that runs the endpoint on a thread of its own, which may block and ends when the registration of the
     * endpoint is closed.
     */
    public static Dispatch ownThread() {
        return new Dispatch(Kind.OWN_THREAD, Optional.empty(), WAITING_MAX_DEFAULT);
    }

    /** Copy of this mode with {@code messages} as the limit of queued messages per endpoint. */
    public Dispatch waitingAtMost(int messages) {
        return new Dispatch(kind, loop, messages);
    }

    public Kind kind() {
        return kind;
    }

    /** Event loop on which endpoints with this mode run; empty unless the kind is {@link Kind#LOOP}. */
    public Optional<EventLoop> loop() {
        return loop;
    }

    public int waitingMax() {
        return waitingMax;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case LOOP -> loop.map(Object::toString).orElseThrow();
            case SHARED -> "shared";
            case INLINE -> "inline";
            case OWN_THREAD -> "own thread";
        };
    }

    /** Execution mode of an endpoint, without the parameters of {@link Dispatch}. */
    public enum Kind {
        LOOP,
        SHARED,
        INLINE,
        OWN_THREAD
    }
}
