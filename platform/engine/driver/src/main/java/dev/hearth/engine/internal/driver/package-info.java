/** The driver's side: contexts, datasets, the scheduling of jobs and tasks, and who executes them. */
@NullMarked
package dev.hearth.engine.internal.driver;

import org.jspecify.annotations.NullMarked;
