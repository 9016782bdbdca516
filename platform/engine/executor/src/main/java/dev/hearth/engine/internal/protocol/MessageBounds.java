package dev.hearth.engine.internal.protocol;

/** Limits of the size of messages between drivers and executors. */
public final class MessageBounds {
    /** Bytes reserved in a message for everything except its payload. Failure texts are cut to a tenth of this size. */
    public static final int ENVELOPE_BYTES = 256 * 1024;

    /**
     * Limit that no message exceeds. Used if driver and executor are in one process and so exchange no serialised
     * messages.
     */
    public static final int NONE = Integer.MAX_VALUE;

    private MessageBounds() {}
}
