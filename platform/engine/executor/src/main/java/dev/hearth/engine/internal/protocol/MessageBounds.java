package dev.hearth.engine.internal.protocol;

/** Bounds on the size of messages. */
public final class MessageBounds {
    /** Room for everything in a message except its payload. Failure texts are cut to a tenth of this. */
    public static final int ENVELOPE_BYTES = 256 * 1024;

    /** No bound: for use within one process, where no message is sent. */
    public static final int NONE = Integer.MAX_VALUE;

    private MessageBounds() {}
}
