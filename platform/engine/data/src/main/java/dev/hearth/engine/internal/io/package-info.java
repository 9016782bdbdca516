/**
 * Local files that applications read and write: finding, splitting and reading input, and committing output
 * without partial results.
 */
@NullMarked
package dev.hearth.engine.internal.io;

import org.jspecify.annotations.NullMarked;
