package dev.hearth.engine.internal.record;

/**
 * How the objects of one class are written and read, after the tag that says so. Immutable; those of an application's classes
 * live and die with its {@link ClassForms}.
 */
abstract class Form {
    private final int code;
    private final Sharing sharing;
    private final boolean leaf;

    /** {@code leaf}: nothing that is shared can be within. */
    Form(int code, Sharing sharing, boolean leaf) {
        this.code = code;
        this.sharing = sharing;
        this.leaf = leaf;
    }

    /** The tag, or, from {@link Tag#CLASS} on, that and the number of the class. */
    final int code() {
        return code;
    }

    final Sharing sharing() {
        return sharing;
    }

    final boolean isLeaf() {
        return leaf;
    }

    abstract void write(Object value, RecordWriter out);

    abstract Object read(RecordReader in);
}
