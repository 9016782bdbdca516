package dev.hearth.engine.internal.serializer;

/** When a deserialised object is registered, so that later references in the same record can refer to it. */
enum ReferenceTracking {
    /** Never: the object is a value, and is written again at each occurrence. */
    NONE,
    /** After its content was read, because the content cannot refer to the object. */
    AFTER_CONTENT,
    /** Before its content is read, by its serializer, because the content may refer to the object. */
    BEFORE_CONTENT,
    /** After its content was read, although the content could refer to it: the writer rejects such cycles. */
    ACYCLIC
}
