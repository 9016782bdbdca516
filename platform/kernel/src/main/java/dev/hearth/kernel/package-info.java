/** The entry point of every process. Not exported to other bundles. */
@NullMarked
package dev.hearth.kernel;

import org.jspecify.annotations.NullMarked;
