/** Creation of one object with retries. */
@NullMarked
package dev.hearth.kubernetes.internal.placement;

import org.jspecify.annotations.NullMarked;
