/** Remote shell: the endpoint that runs command lines for other processes, and the sessions that send them. */
@NullMarked
package dev.hearth.remoteshell.internal;

import org.jspecify.annotations.NullMarked;
