/** Sorting the pairs of a shuffle by their keys, in memory as far as there is some, else by runs on disk that are merged. */
@NullMarked
package dev.hearth.engine.internal.sort;

import org.jspecify.annotations.NullMarked;
