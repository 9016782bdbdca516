/** The status store: jobs, stages, tasks and executors of an application, built from its events. */
@NullMarked
package dev.hearth.status.store;

import org.jspecify.annotations.NullMarked;
