/** Serializer of records: compact, self-contained, and subject to the same class filter as closures. */
@NullMarked
package dev.hearth.engine.internal.serializer;

import org.jspecify.annotations.NullMarked;
