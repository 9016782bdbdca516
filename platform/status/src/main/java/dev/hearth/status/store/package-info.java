/** What an application's events add up to: jobs, stages, tasks and executors as people and programs ask for them. */
@NullMarked
package dev.hearth.status.store;

import org.jspecify.annotations.NullMarked;
