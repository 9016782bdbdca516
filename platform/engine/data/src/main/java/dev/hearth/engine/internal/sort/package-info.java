/**
 * External sort of shuffled pairs by key: in memory while it has room, otherwise by spilling sorted runs and merging
 * them k ways.
 */
@NullMarked
package dev.hearth.engine.internal.sort;

import org.jspecify.annotations.NullMarked;
