package dev.hearth.api;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Holder of an element that may be null, for collections and {@link Option}, which refuse null. Immutable. */
record NullableHolder<T>(@Nullable T element) implements Serializable {}
