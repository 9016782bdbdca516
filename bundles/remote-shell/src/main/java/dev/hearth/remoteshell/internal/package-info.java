/** Command lines between processes: the endpoint that runs them, and the sessions that send them. Stability: internal. */
@NullMarked
package dev.hearth.remoteshell.internal;

import org.jspecify.annotations.NullMarked;
