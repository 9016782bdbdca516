/** Registry of the file stores that bundles provide. */
@NullMarked
package dev.hearth.kernel.internal.storage;

import org.jspecify.annotations.NullMarked;
