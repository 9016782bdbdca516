/** The processes of a standalone cluster: the roles master and worker. */
@NullMarked
package dev.hearth.standalone.internal.daemon;

import org.jspecify.annotations.NullMarked;
