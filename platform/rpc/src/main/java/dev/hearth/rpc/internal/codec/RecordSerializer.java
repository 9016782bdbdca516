package dev.hearth.rpc.internal.codec;

/**
 * Writes and reads the components of one record type in order. Reports the current component to input and output, so
 * that a fault can name it. Immutable.
 */
interface RecordSerializer {
    /** Writes the components. Passes on exceptions of accessors and codecs. */
    void write(WireOutput out, Object value) throws Throwable;

    /** Reads the components and constructs the record. Passes on exceptions of codecs and the constructor. */
    Object read(WireInput in) throws Throwable;
}
