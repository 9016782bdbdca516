package dev.hearth.api.function;

import java.io.Serializable;
import java.util.function.Function;

/**
 * Extracts the key by which an element is sorted. Serialisable, unlike {@link Function}, because it is sent to
 * executors.
 */
@FunctionalInterface
public interface KeyFunction<T, U> extends Function<T, U>, Serializable {}
