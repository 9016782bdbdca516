/** Benchmarks of scheduling. */
@NullMarked
package dev.hearth.engine.internal.scheduler;

import org.jspecify.annotations.NullMarked;
