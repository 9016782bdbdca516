/**
 * Remote shell. Contains the endpoint that runs command lines for other processes, and the sessions that send command
 * lines to it.
 */
@NullMarked
package dev.hearth.remoteshell.internal;

import org.jspecify.annotations.NullMarked;
