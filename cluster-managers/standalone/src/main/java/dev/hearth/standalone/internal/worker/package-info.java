/** The worker: starts and stops drivers and executors on one host, on behalf of one master. */
@NullMarked
package dev.hearth.standalone.internal.worker;

import org.jspecify.annotations.NullMarked;
