/** The daemon that starts drivers and executors on one host. */
@NullMarked
package dev.hearth.standalone.internal.worker;

import org.jspecify.annotations.NullMarked;
