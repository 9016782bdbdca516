/** Look-up of the cluster manager for a master URL. Internal. */
@NullMarked
package dev.hearth.kernel.internal.manager;

import org.jspecify.annotations.NullMarked;
