package dev.hearth.engine.internal.protocol;

/** How much of a message is left for the values it carries. */
public final class MessageBounds {
    /** For the names, numbers and texts around the values of one message; failures are cut to a tenth of it. */
    public static final int ENVELOPE_BYTES = 256 * 1024;

    /** Within one process nothing is sent, so nothing is too large. */
    public static final int NONE = Integer.MAX_VALUE;

    private MessageBounds() {}
}
