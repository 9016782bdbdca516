/** Benchmarks of the codec; ADR 0011 quotes their results. */
@NullMarked
package dev.hearth.rpc.internal.codec;

import org.jspecify.annotations.NullMarked;
