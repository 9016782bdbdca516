package dev.hearth.rpc.internal.codec;

/**
 * Writes and reads values of one type of record component. Every value takes at least one byte, so the bytes of a
 * message bound the number of its values. Immutable.
 */
interface ValueCodec {
    void write(WireOutput out, Object value);

    Object read(WireInput in);

    /**
     * Returns the value for a component that the message does not contain, because its sender is older and does not
     * know the component.
     */
    Object defaultValue();
}
