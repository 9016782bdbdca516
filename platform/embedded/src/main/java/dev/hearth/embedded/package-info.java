/**
 * Contexts on a plain class path: this package connects the engine and the local cluster manager, without a launcher.
 * Stability: evolving.
 */
@NullMarked
package dev.hearth.embedded;

import org.jspecify.annotations.NullMarked;
