/** The bundle that tests put into a made-up installation. */
@NullMarked
package dev.hearth.kernel.probe;

import org.jspecify.annotations.NullMarked;
