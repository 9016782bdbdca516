/** Daemon processes of a standalone cluster, in the roles {@code master} and {@code worker}. */
@NullMarked
package dev.hearth.standalone.internal.daemon;

import org.jspecify.annotations.NullMarked;
