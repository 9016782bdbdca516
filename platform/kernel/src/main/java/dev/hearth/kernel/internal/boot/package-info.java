/** From the command line to a running role, and to an orderly end. Internal. */
@NullMarked
package dev.hearth.kernel.internal.boot;

import org.jspecify.annotations.NullMarked;
