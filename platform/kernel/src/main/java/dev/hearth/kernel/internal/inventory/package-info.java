/** What runs in this process, and why something does not, in words. Internal. */
@NullMarked
package dev.hearth.kernel.internal.inventory;

import org.jspecify.annotations.NullMarked;
