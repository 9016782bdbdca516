package dev.hearth.engine.internal.serializer;

/**
 * Serializer for the objects of one class. The caller writes or reads the tag of the class before it calls the
 * serializer. Immutable; unloaded with its {@link TypeSerializerRegistry}.
 */
abstract class TypeSerializer {
    private final int code;
    private final ReferenceTracking sharing;
    private final boolean leaf;

    /**
     * Creates the serializer of a class. {@code code} identifies the class in records: see {@link #code}. {@code leaf}
     * states that objects of the class never contain objects to which another reference in the record may refer.
     */
    TypeSerializer(int code, ReferenceTracking sharing, boolean leaf) {
        this.code = code;
        this.sharing = sharing;
        this.leaf = leaf;
    }

    /** Returns the code of the class in records: a built-in tag, or {@link TypeTag#CLASS} plus the class number. */
    final int code() {
        return code;
    }

    final ReferenceTracking sharing() {
        return sharing;
    }

    final boolean isLeaf() {
        return leaf;
    }

    abstract void write(Object value, RecordWriter out);

    abstract Object read(RecordReader in);
}
