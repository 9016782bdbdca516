/**
 * Datasets of the API as lineages, and the planning of jobs.
 * <p>A {@link dev.hearth.engine.internal.dataset.PlannedRdd} is a {@link dev.hearth.engine.internal.dataset.Lineage}. A
 * transformation captures its function and records how to compute the new dataset, but computes nothing. An {@link
 * dev.hearth.engine.internal.dataset.Action} plans a job in two steps. It first runs the jobs on whose results the plan
 * depends, such as the sample of keys for a sort. Then it divides the lineage into stages at each shuffle. Within a
 * stage, each narrow dependency on several datasets divides the lineage into branches. Planning adds a step that caches
 * each persisted dataset. It also finds the stages whose cached blocks replace their parent stages. After the job the
 * action writes the requested checkpoints and truncates the lineages there.
 * <p>Threads: planning happens on the thread that calls the action. Lineages are immutable, except that a checkpoint
 * replaces a lineage.
 */
@NullMarked
package dev.hearth.engine.internal.dataset;

import org.jspecify.annotations.NullMarked;
