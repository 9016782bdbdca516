package dev.hearth.rpc.internal.codec;

/**
 * Writes and reads values of one type of record component. Every value takes at least one byte, so the bytes of a
 * message bound the number of its values. Immutable.
 */
interface ValueCodec {
    void write(WireOutput out, Object value);

    Object read(WireInput in);

    /** Value for a component that an older sender does not know. */
    Object defaultValue();
}
