/** Contexts on a plain class path. */
@NullMarked
package dev.hearth.embedded;

import org.jspecify.annotations.NullMarked;
