/** Services that may be replaced while in use, and a registry of which bundle is used by whom. Internal. */
@NullMarked
package dev.hearth.kernel.internal.live;

import org.jspecify.annotations.NullMarked;
