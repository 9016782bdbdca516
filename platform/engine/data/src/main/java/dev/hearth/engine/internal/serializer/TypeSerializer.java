package dev.hearth.engine.internal.serializer;

/**
 * Serializer for the objects of one class; the tag of the class has been written or read before. Immutable; unloaded
 * with its {@link TypeSerializerRegistry}.
 */
abstract class TypeSerializer {
    private final int code;
    private final ReferenceTracking sharing;
    private final boolean leaf;

    /** If {@code leaf}, objects of the class cannot contain shared objects. */
    TypeSerializer(int code, ReferenceTracking sharing, boolean leaf) {
        this.code = code;
        this.sharing = sharing;
        this.leaf = leaf;
    }

    /** The tag of a built-in type; for an application class, {@link TypeTag#CLASS} plus the class number. */
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
