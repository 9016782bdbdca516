package dev.hearth.rpc.internal.codec;

/**
 * How the components of one record type are written and read, one after the other. Tells input and output which
 * component it has reached, so that a fault can name it. Immutable.
 */
interface RecordSerializer {
    /** Writes the components; throws what accessors and codecs throw. */
    void write(WireOutput out, Object value) throws Throwable;

    /** Reads the components and makes the record; throws what codecs and the constructor throw. */
    Object read(WireInput in) throws Throwable;
}
