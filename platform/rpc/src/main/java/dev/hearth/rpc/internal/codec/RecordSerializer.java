package dev.hearth.rpc.internal.codec;

/**
 * Writes and reads the components of one record type in order. Reports the current component to input and output, so
 * that a fault can name it. Immutable.
 */
interface RecordSerializer {
    /** Writes the components; throws what accessors and codecs throw. */
    void write(WireOutput out, Object value) throws Throwable;

    /** Reads the components and constructs the record; throws what codecs and the constructor throw. */
    Object read(WireInput in) throws Throwable;
}
