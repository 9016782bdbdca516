/** What travels between scheduler and executors within a process: what a task is given, and how it ended. */
@NullMarked
package dev.hearth.engine.internal.task;

import org.jspecify.annotations.NullMarked;
