/**
 * External sort of shuffled pairs by key: in memory as long as there is room, otherwise by spilled runs and a k-way
 * merge.
 */
@NullMarked
package dev.hearth.engine.internal.sort;

import org.jspecify.annotations.NullMarked;
