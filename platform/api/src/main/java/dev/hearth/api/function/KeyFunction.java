package dev.hearth.api.function;

import java.io.Serializable;
import java.util.function.Function;

/** Extracts the sort key of an element; a serialisable {@link Function}. */
@FunctionalInterface
public interface KeyFunction<T, U> extends Function<T, U>, Serializable {}
