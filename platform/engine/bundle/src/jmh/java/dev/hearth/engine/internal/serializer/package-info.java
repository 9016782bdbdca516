/** Benchmarks of record serialisation. */
@NullMarked
package dev.hearth.engine.internal.serializer;

import org.jspecify.annotations.NullMarked;
