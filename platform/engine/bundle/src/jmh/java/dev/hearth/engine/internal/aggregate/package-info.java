/** Benchmarks of aggregation. */
@NullMarked
package dev.hearth.engine.internal.aggregate;

import org.jspecify.annotations.NullMarked;
