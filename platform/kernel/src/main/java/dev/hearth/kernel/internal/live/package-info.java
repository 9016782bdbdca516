/** Services that may be replaced while they are used, and the count of who uses which bundle. Internal. */
@NullMarked
package dev.hearth.kernel.internal.live;

import org.jspecify.annotations.NullMarked;
