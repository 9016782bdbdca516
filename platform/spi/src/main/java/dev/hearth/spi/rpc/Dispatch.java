package dev.hearth.spi.rpc;

import dev.hearth.spi.loop.EventLoop;
import java.util.Optional;

/**
 * Where an endpoint runs: always one message at a time, in the order each peer sent them. Immutable.
 * <p>When {@code waitingMax} messages wait, asks are refused with {@code ENDPOINT_BUSY}, and peers that send without
 * asking are not read from until half of them are handled: nothing that was sent is dropped.
 */
public final class Dispatch {
    /** How many messages may wait for an endpoint unless it says otherwise. */
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

    /** As actions of a loop that the caller owns: for endpoints that share state with other work on it. */
    public static Dispatch on(EventLoop loop) {
        return new Dispatch(Kind.LOOP, Optional.of(loop), WAITING_MAX_DEFAULT);
    }

    /** On the threads that all such endpoints of an env share. Handlers may compute, but must not wait. */
    public static Dispatch shared() {
        return new Dispatch(Kind.SHARED, Optional.empty(), WAITING_MAX_DEFAULT);
    }

    /** At once on the thread that read the message: for handlers of a few microseconds that never wait. */
    public static Dispatch inline() {
        return new Dispatch(Kind.INLINE, Optional.empty(), WAITING_MAX_DEFAULT);
    }

    /** On a thread of the endpoint's own, which may wait; it ends with the registration. */
    public static Dispatch ownThread() {
        return new Dispatch(Kind.OWN_THREAD, Optional.empty(), WAITING_MAX_DEFAULT);
    }

    /** The same place with another bound on what waits. */
    public Dispatch waitingAtMost(int messages) {
        return new Dispatch(kind, loop, messages);
    }

    public Kind kind() {
        return kind;
    }

    /** The loop of {@link Kind#LOOP}. */
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

    /** The places an endpoint may run at. */
    public enum Kind {
        LOOP,
        SHARED,
        INLINE,
        OWN_THREAD
    }
}
