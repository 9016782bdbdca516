package dev.hearth.rpc.internal.codec;

/** Writes and reads one type of component. Immutable. Every value takes at least one byte. */
interface ValueCodec {
    void write(WireOutput out, Object value);

    Object read(WireInput in);

    /** Value of a component that the sender did not know. */
    Object defaultValue();
}
