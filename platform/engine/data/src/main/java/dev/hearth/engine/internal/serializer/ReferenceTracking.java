package dev.hearth.engine.internal.serializer;

/** How what is read becomes known to references that come after it. */
enum ReferenceTracking {
    /** Not at all: it is a value, which is written again where it appears again. */
    NONE,
    /** Once it is read, as nothing within it can refer to it. */
    AFTERWARDS,
    /** By the form, before what is in it is read, which may refer to it. */
    BY_FORM,
    /** Once it is read, though something in it might want to refer to it: that is refused when it is written. */
    CLOSED
}
