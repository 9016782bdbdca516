/**
 * Columnar storage of values in primitive arrays, which need four or eight bytes per value instead of an object each.
 */
@NullMarked
package dev.hearth.engine.internal.column;

import org.jspecify.annotations.NullMarked;
