/** Bundles and services of this process, and explanations of why some do not run. Internal. */
@NullMarked
package dev.hearth.kernel.internal.inventory;

import org.jspecify.annotations.NullMarked;
