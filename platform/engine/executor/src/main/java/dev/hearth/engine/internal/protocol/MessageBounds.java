package dev.hearth.engine.internal.protocol;

/** Bounds on the size of messages. */
public final class MessageBounds {
    /** Reserve for everything in a message but its payload. Failures are cut to a tenth of it. */
    public static final int ENVELOPE_BYTES = 256 * 1024;

    /** No bound, within one process, where nothing is sent. */
    public static final int NONE = Integer.MAX_VALUE;

    private MessageBounds() {}
}
