package dev.hearth.rpc.internal.codec;

/** Writes and reads one kind of component. Immutable; no value takes less than one byte. */
interface ValueCodec {
    void write(WireOutput out, Object value);

    Object read(WireInput in);

    /** What a component reads as that its sender did not know. */
    Object missing();
}
