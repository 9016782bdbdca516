/** Deletion of what submitters and drivers that died have left on the cluster. */
@NullMarked
package dev.hearth.kubernetes.internal.sweep;

import org.jspecify.annotations.NullMarked;
