/** Entry point of every process of Hearth. Not exported to other bundles. */
@NullMarked
package dev.hearth.kernel;

import org.jspecify.annotations.NullMarked;
