/**
 * Messages between drivers and executors, and among executors. Also converts plans and task ends to messages, and back.
 */
@NullMarked
package dev.hearth.engine.internal.protocol;

import org.jspecify.annotations.NullMarked;
