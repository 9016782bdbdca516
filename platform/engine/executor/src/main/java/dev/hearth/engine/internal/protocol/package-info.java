/**
 * Messages between drivers and executors, and among executors, with their conversion from and to plans and task ends.
 */
@NullMarked
package dev.hearth.engine.internal.protocol;

import org.jspecify.annotations.NullMarked;
