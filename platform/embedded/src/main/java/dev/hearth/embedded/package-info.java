/** Contexts on a plain class path: the engine and the local manager, wired by hand. Stability: evolving. */
@NullMarked
package dev.hearth.embedded;

import org.jspecify.annotations.NullMarked;
