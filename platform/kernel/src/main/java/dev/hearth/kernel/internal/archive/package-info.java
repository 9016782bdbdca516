/** Archives of an installation: the tar format, and the copies that are kept. Internal. */
@NullMarked
package dev.hearth.kernel.internal.archive;

import org.jspecify.annotations.NullMarked;
