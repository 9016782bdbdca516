/**
 * External sort of shuffled pairs by key. Pairs are sorted in memory while there is room; otherwise sorted runs are
 * spilled to files and merged at the end.
 */
@NullMarked
package dev.hearth.engine.internal.sort;

import org.jspecify.annotations.NullMarked;
