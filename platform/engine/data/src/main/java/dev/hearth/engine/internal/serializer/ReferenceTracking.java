package dev.hearth.engine.internal.serializer;

/** When a deserialised object is registered, so that later references in the same record can refer to it. */
enum ReferenceTracking {
    /** Never: it is a value, and is written again at each occurrence. */
    NONE,
    /** After its content was read: the content cannot refer to it. */
    AFTER_CONTENT,
    /** By its serializer, before its content is read: the content may refer to it. */
    BEFORE_CONTENT,
    /** After its content was read, although the content could refer to it: the writer rejects such cycles. */
    ACYCLIC
}
