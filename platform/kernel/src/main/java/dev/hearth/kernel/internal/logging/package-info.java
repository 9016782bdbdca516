/** Level, destination and format of the log. Internal. */
@NullMarked
package dev.hearth.kernel.internal.logging;

import org.jspecify.annotations.NullMarked;
