package dev.hearth.api.function;

import java.io.Serializable;
import java.util.function.Function;

/** Gives the key that elements are ordered by; a {@link Function} that travels. */
@FunctionalInterface
public interface KeyFunction<T, U> extends Function<T, U>, Serializable {}
