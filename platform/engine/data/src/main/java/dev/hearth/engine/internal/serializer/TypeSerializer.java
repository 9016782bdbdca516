package dev.hearth.engine.internal.serializer;

/**
 * How the objects of one class are written and read, after the tag that says so. Immutable; those of an application's classes
 * live and die with its {@link TypeSerializerRegistry}.
 */
abstract class TypeSerializer {
    private final int code;
    private final ReferenceTracking sharing;
    private final boolean leaf;

    /** {@code leaf}: nothing that is shared can be within. */
    TypeSerializer(int code, ReferenceTracking sharing, boolean leaf) {
        this.code = code;
        this.sharing = sharing;
        this.leaf = leaf;
    }

    /** The tag, or, from {@link TypeTag#CLASS} on, that and the number of the class. */
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
