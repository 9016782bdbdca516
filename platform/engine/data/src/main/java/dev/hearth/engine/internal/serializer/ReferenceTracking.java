package dev.hearth.engine.internal.serializer;

/** Time at which a reader registers a deserialised object, so that later references in the record can refer to it. */
enum ReferenceTracking {
    /** The object is never registered, because it is a value: references to it are written as copies of the value. */
    NONE,
    /** The object is registered after its content was read, because the content cannot refer to the object. */
    AFTER_CONTENT,
    /** The serializer registers the object before it reads the content, because the content may refer to the object. */
    BEFORE_CONTENT,
    /** The object is registered after its content was read. The writer rejects content that refers to the object. */
    ACYCLIC
}
