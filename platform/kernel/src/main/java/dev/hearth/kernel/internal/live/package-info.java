/** Services that may be replaced while in use, and a registry of the users of each bundle. Internal. */
@NullMarked
package dev.hearth.kernel.internal.live;

import org.jspecify.annotations.NullMarked;
