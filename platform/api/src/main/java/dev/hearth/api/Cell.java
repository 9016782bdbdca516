package dev.hearth.api;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Holds an element that may be null where null stands for something else. */
record Cell<T>(@Nullable T element) implements Serializable {}
