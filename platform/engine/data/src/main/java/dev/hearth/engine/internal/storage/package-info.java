/** Kept datasets: the blocks that tasks of one process leave in memory and on disk, and read instead of computing them anew. */
@NullMarked
package dev.hearth.engine.internal.storage;

import org.jspecify.annotations.NullMarked;
