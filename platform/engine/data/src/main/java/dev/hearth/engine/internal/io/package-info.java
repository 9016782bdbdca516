/** Files that applications read and write on local paths: finding, cutting, reading, and writing without half-written results. */
@NullMarked
package dev.hearth.engine.internal.io;

import org.jspecify.annotations.NullMarked;
